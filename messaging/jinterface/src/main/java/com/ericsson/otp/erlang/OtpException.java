package com.ericsson.otp.erlang;

/** An exception of this package. */
public abstract class OtpException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates an exception without a message. */
    public OtpException() {}

    /**
     * Creates an exception.
     *
     * @param message what failed
     */
    public OtpException(String message) {
        super(message);
    }
}
