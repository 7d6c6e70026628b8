package com.ericsson.otp.erlang;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;

/** The name of a process. */
public class OtpErlangPid extends OtpErlangObject implements Comparable<Object> {
    private static final long serialVersionUID = 1;
    private static final int OLD_ID_MASK = 0x7fff;
    private static final int OLD_SERIAL_MASK = 0x1fff;
    private static final int OLD_CREATION_MASK = 3;

    private final int tag;
    private final String node;
    private final int id;
    private final int serial;
    private final int creation;
    private transient Pid ours; // this pid as the node has it, once it was needed

    /**
     * Creates a pid that no other process of a node has.
     *
     * @param self the node
     * @deprecated ask the node: {@link OtpLocalNode#createPid}
     */
    @Deprecated
    public OtpErlangPid(OtpLocalNode self) {
        this(self.createPid());
    }

    private OtpErlangPid(OtpErlangPid other) {
        this(other.tag, other.node, other.id, other.serial, other.creation);
    }

    /**
     * Reads a pid.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no pid is next
     */
    public OtpErlangPid(OtpInputStream in) throws OtpErlangDecodeException {
        this(in.read_pid());
    }

    /**
     * Creates a pid.
     *
     * @param node the name of the node
     * @param id the number of the process
     * @param serial the count of how often numbers were used up
     * @param creation the number of this life of the node
     */
    public OtpErlangPid(String node, int id, int serial, int creation) {
        this(OtpExternal.newPidTag, node, id, serial, creation);
    }

    /**
     * Creates a pid of an encoding. Numbers of the old encoding are cut to its 15, 13 and 2 bits.
     *
     * @param tag {@link OtpExternal#newPidTag}, or {@link OtpExternal#pidTag}
     * @param node the name of the node
     * @param id the number of the process
     * @param serial the count of how often numbers were used up
     * @param creation the number of this life of the node
     */
    protected OtpErlangPid(int tag, String node, int id, int serial, int creation) {
        boolean old = tag == OtpExternal.pidTag;
        this.tag = tag;
        this.node = node;
        this.id = old ? id & OLD_ID_MASK : id;
        this.serial = old ? serial & OLD_SERIAL_MASK : serial;
        this.creation = old ? creation & OLD_CREATION_MASK : creation;
    }

    /** Creates the pid that a node of the messaging library has. */
    OtpErlangPid(Pid ours) {
        this(ours.node().name(), ours.id(), ours.serial(), ours.creation());
        this.ours = ours;
    }

    /** Returns the pid as the messaging library has it. */
    Pid ours() {
        Pid known = ours;
        if (known == null) {
            known = Pid.of(Atom.of(node), id, serial, creation);
            ours = known;
        }
        return known;
    }

    /**
     * Returns the tag of the encoding that the pid was read from.
     *
     * @return the tag
     */
    protected int tag() {
        return tag;
    }

    /**
     * Returns the count of how often numbers were used up.
     *
     * @return the serial
     */
    public int serial() {
        return serial;
    }

    /**
     * Returns the number of the process.
     *
     * @return the number
     */
    public int id() {
        return id;
    }

    /**
     * Returns the number of the node's life.
     *
     * @return the creation
     */
    public int creation() {
        return creation;
    }

    /**
     * Returns the name of the node.
     *
     * @return the name, with the host
     */
    public String node() {
        return node;
    }

    @Override
    public String toString() {
        return "#Pid<" + node + "." + id + "." + serial + ">";
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_pid(this);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangPid that
                        && id == that.id
                        && serial == that.serial
                        && creation == that.creation
                        && node.equals(that.node));
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(5);
        hash.combine(creation, serial);
        hash.combine(id);
        hash.combine(node.hashCode());
        return hash.valueOf();
    }

    /**
     * Compares by creation, serial, number and name of the node.
     *
     * @param other a pid; anything else is greater
     * @return a negative number, 0 or a positive number
     */
    @Override
    public int compareTo(Object other) {
        if (!(other instanceof OtpErlangPid that)) {
            return -1;
        }
        if (creation != that.creation) {
            return Integer.compare(creation, that.creation);
        }
        if (serial != that.serial) {
            return Integer.compare(serial, that.serial);
        }
        return id == that.id ? node.compareTo(that.node) : Integer.compare(id, that.id);
    }
}
