package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where one cursor reads on: the first sequence that it has not handed out. Guarded by the cursor's lock. */
public final class Head implements Closeable {
    private final RecordLog log;
    private final Consumed done;
    private final LogReader reader;
    private long sequence;
    private boolean hasMoved;

    public Head(RecordLog log, Consumed done) {
        this.log = log;
        this.done = done;
        this.reader = log.newReader();
    }

    /** Starts at a sequence that the log has, where the cursor's file says or where it is found; returns the bytes before it. */
    public long start(long first, CursorFile.State state) throws IOException {
        sequence = first;
        Segment segment = log.segments().holding(first);
        if (first == state.floor()
                && segment.firstSequence() == state.segment()
                && state.position() >= SegmentHeader.BYTES) {
            reader.start(segment, state.position(), first, state.offset());
            return state.offset();
        }
        try {
            reader.view(first);
            return reader.offset();
        } catch (CorruptLogException toldWhenItIsRead) {
            return segment.offset();
        }
    }

    /** Starts behind everything that was appended by now. */
    public void startAtEnd() throws IOException {
        sequence = log.startAtEnd(reader);
    }

    /** Starts where the log will go on. */
    public void startAtEnd(long end) {
        sequence = end;
    }

    public long sequence() {
        return sequence;
    }

    /** The segment that was read last, or null. */
    @Nullable
    public Segment segment() {
        return reader.segment();
    }

    /** First sequence of the segment that was read last. */
    public long firstOfSegment() {
        Segment segment = reader.segment();
        return segment == null ? sequence : segment.firstSequence();
    }

    public boolean isLastOfSegment() {
        Segment segment = reader.segment();
        return segment != null && sequence + 1 >= segment.endSequence();
    }

    /** Where the record stands that is next. */
    public long position() {
        return reader.position();
    }

    /** Bytes of all records before the next. */
    public long offset() {
        return reader.segment() == null ? done.floorOffset() : reader.offset();
    }

    /** Bytes of the record that {@link #read} gave. */
    public int recordBytes() {
        return reader.recordBytes();
    }

    /** The payload of the next record, damaged ones before it skipped as the options say; null where there is none yet. */
    public byte @Nullable [] read() throws IOException {
        passDone();
        while (log.isCommitted(sequence)) {
            try {
                return reader.read(sequence);
            } catch (CorruptLogException damage) {
                LogOptions.OnDamage decision = log.onDamage(damage);
                if (decision != LogOptions.OnDamage.STOP) {
                    skip();
                }
                if (decision != LogOptions.OnDamage.SKIP) {
                    throw damage;
                }
            }
        }
        return null;
    }

    /** Whether the head went over records, since the last call, that nobody was given. */
    public boolean takeMoved() {
        boolean moved = hasMoved;
        hasMoved = false;
        return moved;
    }

    private void skip() throws IOException {
        long first = sequence;
        sequence = Math.min(reader.skip(first), log.committed() + 1);
        done.skip(first, sequence);
        hasMoved = true;
        passDone();
    }

    /** Moves behind the record that {@link #read} gave. */
    public void advance() {
        reader.advance();
        sequence++;
    }

    /** Moves behind records that are consumed already. */
    public void passDone() throws IOException {
        while (!done.isGapless() && done.contains(sequence) && sequence <= log.committed()) {
            try {
                reader.view(sequence);
                reader.advance();
            } catch (CorruptLogException damaged) {
                // it is consumed, so nobody misses it; the next is searched for
            }
            sequence++;
            hasMoved = true;
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
