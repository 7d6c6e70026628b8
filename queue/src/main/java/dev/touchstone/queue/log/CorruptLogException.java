package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** Bytes on disk are not what was written. */
public final class CorruptLogException extends IOException {
    private static final long serialVersionUID = 1;

    CorruptLogException(Path file, long offset, String field, Object expected, Object got) {
        super("corrupt " + field + ": file=" + file + " offset=" + offset + " expected=" + expected + " got=" + got);
    }
}
