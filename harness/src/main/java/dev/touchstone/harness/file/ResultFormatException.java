package dev.touchstone.harness.file;

import java.io.IOException;
import java.nio.file.Path;

/** A recorded file that is not what this harness writes: says which file, where in it, what was expected and what stood there. */
public final class ResultFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception whose message is {@code file:line: problem}.
     *
     * @param file the file that was read
     * @param line line number from 1, or 0 if the problem does not concern a single line
     * @param problem what was expected and what was found
     */
    public ResultFormatException(Path file, int line, String problem) {
        super(file + (line > 0 ? ":" + line : "") + ": " + problem);
    }
}
