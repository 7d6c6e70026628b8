package com.ericsson.otp.erlang;

/** An integer that was made of an int that is not negative. */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpErlangUInt extends OtpErlangLong {
    private static final long serialVersionUID = 1;

    /**
     * Creates an integer.
     *
     * @param value its value
     * @throws OtpErlangRangeException if it is negative
     */
    public OtpErlangUInt(int value) throws OtpErlangRangeException {
        super(value);
        uIntValue();
    }

    /**
     * Reads an integer.
     *
     * @param in the stream that is read from
     * @throws OtpErlangRangeException if it is out of range
     * @throws OtpErlangDecodeException if no integer is next
     */
    public OtpErlangUInt(OtpInputStream in) throws OtpErlangRangeException, OtpErlangDecodeException {
        super(in);
        uIntValue();
    }
}
