package com.ericsson.otp.erlang;

/** A float of Erlang that was made of a float of Java. */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpErlangFloat extends OtpErlangDouble {
    private static final long serialVersionUID = 1;

    /**
     * Creates a float.
     *
     * @param value its value
     */
    public OtpErlangFloat(float value) {
        super(value);
    }

    /**
     * Reads a float.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no float is next
     * @throws OtpErlangRangeException if no float of Java has exactly its value
     */
    public OtpErlangFloat(OtpInputStream in) throws OtpErlangDecodeException, OtpErlangRangeException {
        super(in);
        floatValue();
    }
}
