package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads committed records in order, across segments. Not thread-safe. */
final class LogReader implements Closeable {
    private final FileIo io;
    private final SegmentStore segments;
    private final ByteBuffer window = SegmentReader.newWindow();
    private @Nullable SegmentReader reader;
    private long next;

    LogReader(FileIo io, SegmentStore segments) {
        this.io = io;
        this.segments = segments;
    }

    /**
     * The payload of the record with this sequence, which must be committed. Sequential reads cost no search.
     *
     * @throws CorruptLogException if it is not there, or not whole
     */
    byte[] read(long sequence) throws IOException {
        SegmentReader here = reader;
        if (here != null && sequence == next && sequence < here.segment().endSequence()) {
            byte[] payload = here.read(sequence);
            if (payload != null) {
                return payload;
            }
        }
        SegmentReader found = seek(sequence);
        byte[] payload = found.read(sequence);
        if (payload == null) {
            throw found.corrupt(sequence);
        }
        return payload;
    }

    /**
     * Moves from a record that {@link #read} found damaged to the next that can be read, and returns its sequence; the first of the next
     * segment if there is none in this one.
     */
    long skip(long damaged) throws IOException {
        SegmentReader at = seek(damaged);
        if (at.seekAbove(damaged)) {
            next = at.sequenceHere();
            return next;
        }
        return at.segment().endSequence();
    }

    /** Moves behind the record that {@link #read} gave. */
    void advance() {
        if (reader != null) {
            reader.advance();
            next++;
        }
    }

    /** Starts reading at a place where the record with {@code sequence} is expected; if it isn't there it is searched for. */
    SegmentReader start(Segment segment, long position, long sequence) throws IOException {
        close();
        SegmentReader opened = new SegmentReader(io, segment, window, position);
        reader = opened;
        next = sequence;
        return opened;
    }

    /** The segment that was read last, or null. */
    @Nullable
    Segment segment() {
        return reader == null ? null : reader.segment();
    }

    /** Where in {@link #segment} the next record is read. */
    long position() {
        return reader == null ? 0 : reader.position();
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    private SegmentReader seek(long sequence) throws IOException {
        Segment segment = segments.holding(sequence);
        SegmentReader at = start(segment, SegmentHeader.BYTES, segment.firstSequence());
        while (next < sequence) {
            if (at.read(next) != null) {
                at.advance();
                next++;
            } else if (at.seekAbove(next) && at.sequenceHere() <= sequence) {
                next = at.sequenceHere();
            } else {
                break; // read() will say what stands here instead
            }
        }
        next = sequence;
        return at;
    }
}
