package dev.touchstone.harness.cli;

/** The user asked for what cannot be; the message is one line that says what can. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message one line for the user */
    public UsageException(String message) {
        super(message);
    }
}
