package dev.touchstone.builds.origin;

/** Thrown for bytes that are no message of the protocol, or no value of the kind that is expected. */
final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message says what is wrong and where, without bytes of the message; not null
     */
    MalformedMessageException(String message) {
        super(message);
    }
}
