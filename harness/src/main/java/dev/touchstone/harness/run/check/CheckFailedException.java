package dev.touchstone.harness.run.check;

/** Signals that a benchmark does not do what it times; the message says what was expected and what was observed. */
public final class CheckFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was expected and what was observed
     */
    public CheckFailedException(String message) {
        super(message);
    }
}
