package dev.touchstone.queue.migrate;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a source's bytes are not what its library writes; the message names field, file, offset, expected and actual value. */
public final class CorruptSourceException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Path file;
    private final long offset;

    CorruptSourceException(Path file, long offset, String field, Object expected, Object got) {
        super("corrupt " + field + ": file=" + file + " offset=" + offset + " expected=" + expected + " got=" + got);
        this.file = file;
        this.offset = offset;
    }

    /**
     * Returns the damaged file.
     *
     * @return the file of the source
     */
    public Path file() {
        return file;
    }

    /**
     * Returns where in the file the damage shows.
     *
     * @return the offset, in bytes
     */
    public long offset() {
        return offset;
    }
}
