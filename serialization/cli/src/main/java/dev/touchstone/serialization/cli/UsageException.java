package dev.touchstone.serialization.cli;

/** What the user gave is not usable; the message says all. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
