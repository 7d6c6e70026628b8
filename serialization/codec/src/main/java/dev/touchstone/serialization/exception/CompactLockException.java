package dev.touchstone.serialization.exception;

/** Thrown when a text is not that of a schema lock or of a type descriptor. */
public final class CompactLockException extends CompactException {
    private static final long serialVersionUID = 1;

    private final int line;

    /**
     * Creates an exception.
     *
     * @param what problem, for people
     * @param line number of the line, from 1
     */
    public CompactLockException(String what, int line) {
        super("not a schema lock: " + what + " line=" + line);
        this.line = line;
    }

    /**
     * Returns the number of the line that is wrong.
     *
     * @return number of the line, from 1
     */
    public int line() {
        return line;
    }
}
