package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** A segment is compressed by a codec that the log was not opened with. */
public final class MissingCodecException extends IOException {
    private static final long serialVersionUID = 1;

    public MissingCodecException(Path file, int id) {
        super("compression is not available: id=" + id + " file=" + file
                + "; open the queue with the compression that has this id");
    }
}
