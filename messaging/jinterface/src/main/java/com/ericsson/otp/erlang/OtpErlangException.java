package com.ericsson.otp.erlang;

/** An exception that a term or a message causes. */
public class OtpErlangException extends OtpException {
    private static final long serialVersionUID = 1;

    /** Creates an exception without a message. */
    public OtpErlangException() {}

    /**
     * Creates an exception.
     *
     * @param message what failed
     */
    public OtpErlangException(String message) {
        super(message);
    }
}
