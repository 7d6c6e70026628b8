package dev.touchstone.serialization.exception;

import java.nio.file.Path;

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
     * Creates an exception that names the file of the text.
     *
     * @param file path of the file
     * @param cause what is wrong with the text, or with the bytes that are in its place
     */
    public CompactLockException(Path file, CompactException cause) {
        super("file=" + file + ": " + cause.getMessage());
        initCause(cause);
        this.line = cause instanceof CompactLockException other ? other.line : 0;
    }

    /**
     * Returns the number of the line that is wrong.
     *
     * @return number of the line, from 1; 0 if the file holds bytes instead of a text
     */
    public int line() {
        return line;
    }
}
