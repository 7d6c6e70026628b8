package dev.touchstone.queue.log;

import java.nio.file.Path;

/** One log file. Immutable but for its end, which is set once when the next segment begins. */
final class Segment {
    private final Path path;
    private final SegmentHeader header;
    private final long salt;
    private volatile long endSequence = Long.MAX_VALUE;

    Segment(Path path, SegmentHeader header) {
        this.path = path;
        this.header = header;
        this.salt = header.salt();
    }

    Path path() {
        return path;
    }

    long firstSequence() {
        return header.firstSequence();
    }

    int bytes() {
        return header.segmentBytes();
    }

    SegmentHeader header() {
        return header;
    }

    long salt() {
        return salt;
    }

    /** The sequence that the next segment begins with; {@link Long#MAX_VALUE} while this is the last. */
    long endSequence() {
        return endSequence;
    }

    void endsBefore(long sequence) {
        endSequence = sequence;
    }
}
