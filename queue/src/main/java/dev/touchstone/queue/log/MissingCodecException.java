package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** A segment is compressed by a codec that the log was not opened with. */
public final class MissingCodecException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Describes a segment that cannot be read.
     *
     * @param file of the segment
     * @param id number of its codec
     */
    public MissingCodecException(Path file, int id) {
        super("compression is not available: id=" + id + " file=" + file
                + (id == Lz4Codec.ID
                        ? "; add at.yawk.lz4:lz4-java"
                        : "; open the queue with the compression that has this id"));
    }
}
