package com.ericsson.otp.erlang;

/** An integer that was made of a byte. */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpErlangByte extends OtpErlangLong {
    private static final long serialVersionUID = 1;

    /**
     * Creates an integer.
     *
     * @param value its value
     *
     */
    public OtpErlangByte(byte value) {
        super(value);
    }

    /**
     * Reads an integer.
     *
     * @param in the stream that is read from
     * @throws OtpErlangRangeException if it is out of range
     * @throws OtpErlangDecodeException if no integer is next
     */
    public OtpErlangByte(OtpInputStream in) throws OtpErlangRangeException, OtpErlangDecodeException {
        super(in);
        byteValue();
    }
}
