package com.ericsson.otp.erlang;

/** An integer or a float that the requested type of Java cannot hold. */
public class OtpErlangRangeException extends OtpErlangException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message what failed
     */
    public OtpErlangRangeException(String message) {
        super(message);
    }
}
