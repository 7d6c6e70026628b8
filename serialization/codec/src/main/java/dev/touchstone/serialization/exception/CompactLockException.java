package dev.touchstone.serialization.exception;

/** The text of a schema lock is none. */
public final class CompactLockException extends CompactException {
    private static final long serialVersionUID = 1;

    private final int line;

    /** @param line counted from 1 */
    public CompactLockException(String what, int line) {
        super("not a schema lock: " + what + " line=" + line);
        this.line = line;
    }

    /** The line, counted from 1. */
    public int line() {
        return line;
    }
}
