package com.ericsson.otp.erlang;

/** A binary: a bit string of whole bytes. */
public class OtpErlangBinary extends OtpErlangBitstr {
    private static final long serialVersionUID = 1;

    /**
     * Creates a binary.
     *
     * @param bin the bytes, which are copied
     */
    public OtpErlangBinary(byte[] bin) {
        super(bin);
    }

    /**
     * Reads a binary.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no binary is next
     */
    public OtpErlangBinary(OtpInputStream in) throws OtpErlangDecodeException {
        super(in.read_binary(), true);
    }

    /**
     * Creates a binary that holds an object in the serialized form of Java.
     *
     * @param object an object that can be serialized
     * @throws IllegalArgumentException if it cannot be serialized
     */
    public OtpErlangBinary(Object object) {
        super(object);
    }

    OtpErlangBinary(byte[] bin, boolean owned) {
        super(bin, owned);
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_binary(bin);
    }

    @Override
    public Object clone() {
        return super.clone();
    }
}
