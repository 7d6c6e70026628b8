package dev.touchstone.builds.wire;

/** A message is none of the protocol's, or has a value that it may not have. */
public class WireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message);
    }

    WireException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
