package com.ericsson.otp.erlang;

import java.util.Arrays;

/** A bit string: bytes, of which the last may have fewer than eight bits. */
public class OtpErlangBitstr extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    /** The bytes. The unused bits of the last are 0. */
    protected byte[] bin;

    /** The number of unused bits in the last byte, from 0 to 7. */
    protected int pad_bits;

    /*
     * Who calls:      any thread, as long as no program changes the array that binaryValue() returns.
     * Invariants:     an array that several terms have was given to no program.
     * Ordering:       a program that changes its array does so before or after the send, not at the same time.
     */
    private transient boolean shared; // another term has `bin` too: it must be copied before a program gets it
    private transient boolean exposed; // a program has got `bin`, and may change it: no other term may have it

    /**
     * Creates a bit string of whole bytes.
     *
     * @param bin the bytes, which are copied
     */
    public OtpErlangBitstr(byte[] bin) {
        this(bin, 0);
    }

    /**
     * Creates a bit string.
     *
     * @param bin the bytes, which are copied
     * @param padBits the number of low bits of the last byte that do not belong to it, from 0 to 7
     * @throws IllegalArgumentException if there are not as many bits
     */
    public OtpErlangBitstr(byte[] bin, int padBits) {
        check(bin, padBits);
        this.bin = bin.clone();
        pad_bits = padBits;
        if (padBits > 0) {
            this.bin[bin.length - 1] &= (byte) (-1 << padBits);
        }
    }

    /**
     * Reads a bit string.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no bit string is next
     */
    public OtpErlangBitstr(OtpInputStream in) throws OtpErlangDecodeException {
        int[] unused = new int[1];
        bin = in.read_bitstr(unused);
        pad_bits = unused[0];
    }

    /**
     * Creates a bit string that holds an object in the serialized form of Java.
     *
     * @param object an object that can be serialized
     * @throws IllegalArgumentException if it cannot be serialized
     */
    public OtpErlangBitstr(Object object) {
        bin = JavaObjects.write(object);
    }

    OtpErlangBitstr(byte[] bytes, boolean owned) {
        bin = owned ? bytes : bytes.clone();
    }

    private static void check(byte[] bin, int padBits) {
        if (padBits < 0 || padBits > 7) {
            throw new IllegalArgumentException("Padding must be in range 0..7");
        }
        if (padBits > 0 && bin.length == 0) {
            throw new IllegalArgumentException("Padding on zero length bitstr");
        }
    }

    /**
     * Returns the bytes; they are not copied and must not be changed.
     *
     * @return the bytes, in the same array at each call
     */
    public byte[] binaryValue() {
        if (shared) {
            bin = bin.clone();
            shared = false;
        }
        exposed = true;
        return bin;
    }

    /** Returns a binary of the same bytes. They are copied only once a program asks either of the two for them. */
    OtpErlangBinary binaryOfTheSameBytes() {
        if (exposed) {
            return new OtpErlangBinary(bin);
        }
        shared = true;
        OtpErlangBinary other = new OtpErlangBinary(bin, true);
        ((OtpErlangBitstr) other).shared = true;
        return other;
    }

    /**
     * Returns the number of whole bytes.
     *
     * @return the number of bytes that have all eight bits
     */
    public int size() {
        return pad_bits == 0 ? bin.length : bin.length - 1;
    }

    int bytes() {
        return bin.length;
    }

    /**
     * Returns the number of unused bits in the last byte.
     *
     * @return a number from 0 to 7
     */
    public int pad_bits() {
        return pad_bits;
    }

    /**
     * Reads the bytes as an object in the serialized form of Java. Use it only where all peers are trusted: reading an object runs code
     * of its class.
     *
     * @return the object, or null where the bytes are not one
     */
    public Object getObject() {
        return pad_bits == 0 ? JavaObjects.read(bin) : null;
    }

    /** Returns the number of bytes, as in {@code #Bin<3>}, or {@code #Bin<3-5>} where five bits of the last byte are unused. */
    @Override
    public String toString() {
        return "#Bin<" + bin.length + (pad_bits == 0 ? "" : "-" + pad_bits) + ">";
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_bitstr(bin, pad_bits);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangBitstr that && pad_bits == that.pad_bits && Arrays.equals(bin, that.bin));
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(15);
        hash.combine(bin);
        hash.combine(pad_bits);
        return hash.valueOf();
    }

    @Override
    public Object clone() {
        OtpErlangBitstr copy = (OtpErlangBitstr) super.clone();
        copy.bin = bin.clone();
        copy.shared = false;
        copy.exposed = false;
        return copy;
    }
}
