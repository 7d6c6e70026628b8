package dev.touchstone.harness.store;

import java.io.IOException;
import java.nio.file.Path;

/** A recorded file that is not what this harness writes: says which file, where in it, what was expected and what stood there. */
public final class ResultFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param line from 1, or 0 where the problem is not of one line */
    public ResultFormatException(Path file, int line, String problem) {
        super(file + (line > 0 ? ":" + line : "") + ": " + problem);
    }
}
