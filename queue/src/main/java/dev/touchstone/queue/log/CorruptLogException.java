package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if bytes on disk are not what was written. */
public final class CorruptLogException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Path file;
    private final long offset;
    private final String field;
    private final String expected;
    private final String got;

    /**
     * Creates the exception with a message that names all of these.
     *
     * @param offset bytes from the start of the file
     * @param field kind of data that belongs there
     * @param expected description of what belongs there
     * @param got description of what was found
     */
    public CorruptLogException(Path file, long offset, String field, Object expected, Object got) {
        super("corrupt " + field + ": file=" + file + " offset=" + offset + " expected=" + expected + " got=" + got);
        this.file = file;
        this.offset = offset;
        this.field = field;
        this.expected = expected.toString();
        this.got = got.toString();
    }

    /**
     * Creates an exception for a damage that was found before, with a message that says more.
     *
     * @param consequence description of what fails by the damage
     * @param advice description of what to do
     */
    public CorruptLogException(String consequence, CorruptLogException damage, String advice) {
        super(consequence + ": " + damage.getMessage() + "; " + advice, damage);
        this.file = damage.file;
        this.offset = damage.offset;
        this.field = damage.field;
        this.expected = damage.expected;
        this.got = damage.got;
    }

    /** Returns the damaged file. */
    public Path file() {
        return file;
    }

    /** Returns the bytes from the start of the file to the damage. */
    public long offset() {
        return offset;
    }

    /** Returns the kind of data that belongs there. */
    public String field() {
        return field;
    }

    /** Returns a description of what belongs there. */
    public String expected() {
        return expected;
    }

    /** Returns a description of what was found. */
    public String got() {
        return got;
    }
}
