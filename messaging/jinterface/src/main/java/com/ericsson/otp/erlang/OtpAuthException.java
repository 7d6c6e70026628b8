package com.ericsson.otp.erlang;

/** A handshake that failed because the peer refused, was refused, or has another cookie. */
public class OtpAuthException extends OtpException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message what failed
     */
    public OtpAuthException(String message) {
        super(message);
    }
}
