package dev.touchstone.cli;

/** Thrown when the user's input cannot be used; {@link Program} prints its message as one line and ends with {@link ExitCode#USAGE}. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates a failure with a message only.
     *
     * @param message one line for the user: the wrong value, the expected values and what to do next; not null
     */
    public UsageException(String message) {
        super(message);
    }

    /**
     * Creates a failure with the exception that caused it.
     *
     * @param message one line for the user: the wrong value, the expected values and what to do next; not null
     * @param cause the exception that showed that the input cannot be used; not null
     */
    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
