package dev.touchstone.builds.wire;

/** A message is none of the protocol's, or has a value that it may not have. The message of the exception has no values of requests. */
public class WireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public WireException(String message) {
        super(message);
    }

    /** Creates an exception with its cause. */
    public WireException(String message, Exception cause) {
        super(message, cause);
    }
}
