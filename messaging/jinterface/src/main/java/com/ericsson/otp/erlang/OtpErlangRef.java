package com.ericsson.otp.erlang;

import java.util.Arrays;

/** A reference: one to five numbers of a node. */
public class OtpErlangRef extends OtpErlangObject {
    private static final long serialVersionUID = 1;
    private static final int MIN_WORDS = 3;
    private static final int MAX_WORDS = 5;
    private static final int OLD_WORD_MASK = 0x3ffff;
    private static final int OLD_CREATION_MASK = 3;

    private final int tag;
    private final String node;
    private final int creation;
    private int[] ids;

    /**
     * Creates a reference that a node has not had.
     *
     * @param self the node
     * @deprecated ask the node: {@link OtpLocalNode#createRef}
     */
    @Deprecated
    public OtpErlangRef(OtpLocalNode self) {
        this(self.createRef());
    }

    private OtpErlangRef(OtpErlangRef other) {
        tag = other.tag;
        node = other.node;
        creation = other.creation;
        ids = other.ids;
    }

    /**
     * Reads a reference.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no reference is next
     */
    public OtpErlangRef(OtpInputStream in) throws OtpErlangDecodeException {
        this(in.read_ref());
    }

    /**
     * Creates a reference of one number, cut to 18 bits, and a creation, cut to 2 bits.
     *
     * @param node the name of the node
     * @param id the number
     * @param creation the number of this life of the node
     */
    public OtpErlangRef(String node, int id, int creation) {
        tag = OtpExternal.refTag;
        this.node = node;
        this.creation = creation & OLD_CREATION_MASK;
        ids = new int[] {id & OLD_WORD_MASK};
    }

    /**
     * Creates a reference.
     *
     * @param node the name of the node
     * @param ids the numbers: fewer than three are filled up with 0, more than five are cut off
     * @param creation the number of this life of the node
     */
    public OtpErlangRef(String node, int[] ids, int creation) {
        this(OtpExternal.newerRefTag, node, ids, creation);
    }

    /**
     * Creates a reference of an encoding. With {@link OtpExternal#newRefTag} the first number is cut to 18 bits and the creation to 2.
     *
     * @param tag {@link OtpExternal#newerRefTag} or {@link OtpExternal#newRefTag}
     * @param node the name of the node
     * @param ids the numbers: fewer than three are filled up with 0, more than five are cut off
     * @param creation the number of this life of the node
     */
    public OtpErlangRef(int tag, String node, int[] ids, int creation) {
        boolean old = tag == OtpExternal.newRefTag;
        this.tag = tag;
        this.node = node;
        this.creation = old ? creation & OLD_CREATION_MASK : creation;
        this.ids = Arrays.copyOf(ids, Math.min(MAX_WORDS, Math.max(MIN_WORDS, ids.length)));
        if (old) {
            this.ids[0] &= OLD_WORD_MASK;
        }
    }

    /**
     * Returns the tag of the encoding that the reference was read from.
     *
     * @return the tag
     */
    protected int tag() {
        return tag;
    }

    /**
     * Returns the first number.
     *
     * @return the number
     */
    public int id() {
        return ids[0];
    }

    /**
     * Returns the numbers in a new array.
     *
     * @return the numbers
     */
    public int[] ids() {
        return ids.clone();
    }

    /**
     * Returns whether the reference has more than one number.
     *
     * @return whether it is not of the oldest form
     */
    public boolean isNewRef() {
        return tag != OtpExternal.refTag;
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
        StringBuilder text = new StringBuilder("#Ref<").append(node);
        for (int id : ids) {
            text.append('.').append(id);
        }
        return text.append('>').toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_ref(this);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangRef that
                        && isNewRef() == that.isNewRef()
                        && creation == that.creation
                        && node.equals(that.node)
                        && Arrays.equals(ids, that.ids));
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(7);
        hash.combine(creation);
        for (int id : ids) {
            hash.combine(id);
        }
        hash.combine(node.hashCode());
        return hash.valueOf();
    }

    @Override
    public Object clone() {
        OtpErlangRef copy = (OtpErlangRef) super.clone();
        copy.ids = ids.clone();
        return copy;
    }
}
