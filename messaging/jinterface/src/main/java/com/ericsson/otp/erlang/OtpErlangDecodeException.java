package com.ericsson.otp.erlang;

/** Bytes that are not the expected term in the external term format. */
public class OtpErlangDecodeException extends OtpErlangException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message what failed
     */
    public OtpErlangDecodeException(String message) {
        super(message);
    }
}
