package dev.touchstone.harness.run;

/** A benchmark does not do what it times; the message says what was expected and what came. */
public final class CheckFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With what was expected and what came. */
    public CheckFailedException(String message) {
        super(message);
    }
}
