package dev.touchstone.harness.cli;

/** The user asked for what cannot be; the message is one line that says what can. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
