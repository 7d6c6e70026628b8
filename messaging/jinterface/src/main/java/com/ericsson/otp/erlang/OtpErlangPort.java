package com.ericsson.otp.erlang;

/** The name of a port. Its number is a long, as since OTP 24; versions of this package before that had an int. */
public class OtpErlangPort extends OtpErlangObject {
    private static final long serialVersionUID = 1;
    private static final int OLD_ID_MASK = 0xfffffff;
    private static final int OLD_CREATION_MASK = 3;

    private final int tag;
    private final String node;
    private final long id;
    private final int creation;

    /**
     * Reads a port.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no port is next
     */
    public OtpErlangPort(OtpInputStream in) throws OtpErlangDecodeException {
        this(in.read_port());
    }

    private OtpErlangPort(OtpErlangPort other) {
        this(other.tag, other.node, other.id, other.creation);
    }

    /**
     * Creates a port.
     *
     * @param node the name of the node
     * @param id the number of the port
     * @param creation the number of this life of the node
     */
    public OtpErlangPort(String node, long id, int creation) {
        this(OtpExternal.v4PortTag, node, id, creation);
    }

    /**
     * Creates a port of an encoding. Numbers of the oldest encoding are cut to its 28 and 2 bits.
     *
     * @param tag {@link OtpExternal#v4PortTag}, {@link OtpExternal#newPortTag} or {@link OtpExternal#portTag}
     * @param node the name of the node
     * @param id the number of the port
     * @param creation the number of this life of the node
     */
    public OtpErlangPort(int tag, String node, long id, int creation) {
        boolean old = tag == OtpExternal.portTag;
        this.tag = tag;
        this.node = node;
        this.id = old ? id & OLD_ID_MASK : id;
        this.creation = old ? creation & OLD_CREATION_MASK : creation;
    }

    /**
     * Returns the tag of the encoding that the port was read from.
     *
     * @return the tag
     */
    protected int tag() {
        return tag;
    }

    /**
     * Returns the number of the port.
     *
     * @return the number
     */
    public long id() {
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
        return "#Port<" + node + "." + id + ">";
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_port(this);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangPort that
                        && id == that.id
                        && creation == that.creation
                        && node.equals(that.node));
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(6);
        hash.combine(creation);
        hash.combine(id);
        hash.combine(node.hashCode());
        return hash.valueOf();
    }
}
