package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads committed records in order, across segments. Not thread-safe. */
public final class LogReader implements Closeable {
    private final FileIo io;
    private final SegmentStore segments;
    private @Nullable SegmentReader reader;
    private long next;

    /** Opens nothing until the first read. */
    public LogReader(FileIo io, SegmentStore segments) {
        this.io = io;
        this.segments = segments;
    }

    /**
     * Returns the payload of the record with this sequence, which must be committed. Sequential reads cost no search.
     *
     * @throws CorruptLogException if the record is not there, or not whole
     */
    public byte[] read(long sequence) throws IOException {
        SegmentReader here = at(sequence);
        byte[] payload = here == null ? null : here.read(sequence);
        if (payload == null) {
            SegmentReader found = seek(sequence);
            payload = found.read(sequence);
            if (payload == null) {
                throw found.corrupt(sequence);
            }
        }
        return payload;
    }

    /**
     * Returns the payload as {@link #read} does, without copying: a part of the reader's window, valid until its next call.
     *
     * @throws CorruptLogException if the record is not there, or not whole
     */
    public ByteBuffer view(long sequence) throws IOException {
        SegmentReader here = at(sequence);
        if (here != null && here.find(sequence)) {
            return here.payload();
        }
        SegmentReader found = seek(sequence);
        if (!found.find(sequence)) {
            throw found.corrupt(sequence);
        }
        return found.payload();
    }

    private @Nullable SegmentReader at(long sequence) {
        SegmentReader here = reader;
        return here != null && sequence == next && sequence < here.segment().endSequence() ? here : null;
    }

    /**
     * Moves from a record that {@link #read} found damaged to the next that can be read, and returns its sequence; the first of the next
     * segment if there is none in this one.
     */
    public long skip(long damaged) throws IOException {
        SegmentReader at = seek(damaged);
        if (at.seek(damaged + 1)) {
            next = at.sequenceHere();
            return next;
        }
        return at.segment().endSequence();
    }

    /** Moves behind the record that {@link #read} returned. */
    public void advance() {
        if (reader != null) {
            reader.advance();
            next++;
        }
    }

    /**
     * Starts reading at a place where the record with {@code sequence} is expected; a record that is not there is searched for.
     *
     * @param position in bytes from the segment's start
     * @param offset bytes of all records of the log before that record
     */
    public SegmentReader start(Segment segment, long position, long sequence, long offset) throws IOException {
        close();
        SegmentReader opened = new SegmentReader(io, segment, position, offset, SegmentReader.ConsumptionSink.NONE);
        reader = opened;
        next = sequence;
        return opened;
    }

    /** Returns the segment that was read last, or null. */
    @Nullable
    public Segment segment() {
        return reader == null ? null : reader.segment();
    }

    /** Returns where in {@link #segment} the next record is read, in bytes from its start. */
    public long position() {
        return reader == null ? 0 : reader.position();
    }

    /** Returns the bytes of all records of the log before the next. */
    public long offset() {
        return reader == null ? 0 : reader.offset();
    }

    /** Returns whether the record that {@link #read} gave begins with the time before which it is not handed out. */
    public boolean isDelayed() {
        return reader != null && reader.isDelayed();
    }

    /** Returns the bytes of the record that {@link #read} returned, header and padding included. */
    public int recordBytes() {
        return reader == null ? 0 : reader.recordBytes();
    }

    /** Gives the window back until the next read, for a reader that may wait long for it. */
    public void rest() {
        if (reader != null) {
            reader.rest();
        }
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    /** Moves to the record with this sequence, or to where the record should stand and does not. */
    private SegmentReader seek(long sequence) throws IOException {
        Segment segment = segments.holding(sequence);
        SegmentReader at = start(segment, SegmentHeader.BYTES, segment.firstSequence(), segment.offset());
        for (; ; ) {
            while (next < sequence && at.find(next)) {
                at.advance();
                next++;
            }
            if (next == sequence && at.find(sequence)) {
                return at;
            }
            long place = at.position();
            long offset = at.offset();
            if (!at.seek(next)) {
                break;
            }
            if (at.sequenceHere() > sequence) {
                at.moveTo(place, offset);
                break;
            }
            next = at.sequenceHere();
        }
        next = sequence;
        return at;
    }
}
