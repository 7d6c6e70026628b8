package dev.touchstone.queue.migrate;

import java.io.IOException;
import java.nio.file.Path;

/** Bytes of another queue are not what its library writes; the message names file, offset, expected and got. */
public final class CorruptSourceException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Path file;
    private final long offset;

    CorruptSourceException(Path file, long offset, String field, Object expected, Object got) {
        super("corrupt " + field + ": file=" + file + " offset=" + offset + " expected=" + expected + " got=" + got);
        this.file = file;
        this.offset = offset;
    }

    /** The damaged file. */
    public Path file() {
        return file;
    }

    /** Where in the file the damage shows, in bytes. */
    public long offset() {
        return offset;
    }
}
