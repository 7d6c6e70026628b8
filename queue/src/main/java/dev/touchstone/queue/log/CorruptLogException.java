package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** Bytes on disk are not what was written. */
public final class CorruptLogException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Path file;
    private final long offset;
    private final String field;
    private final String expected;
    private final String got;

    public CorruptLogException(Path file, long offset, String field, Object expected, Object got) {
        super("corrupt " + field + ": file=" + file + " offset=" + offset + " expected=" + expected + " got=" + got);
        this.file = file;
        this.offset = offset;
        this.field = field;
        this.expected = expected.toString();
        this.got = got.toString();
    }

    /** The damaged file. */
    public Path file() {
        return file;
    }

    /** Where in it. */
    public long offset() {
        return offset;
    }

    /** What should stand there. */
    public String field() {
        return field;
    }

    /** Its value if it were whole. */
    public String expected() {
        return expected;
    }

    /** What was found. */
    public String got() {
        return got;
    }
}
