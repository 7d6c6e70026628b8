package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.consume.ConsumerState.Place;
import dev.touchstone.queue.log.consume.InFlight.Delivery;
import dev.touchstone.queue.log.segment.DelayedPayload;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The place where one cursor reads on: the first sequence that it has not passed. Used under the cursor's lock. */
final class ReadPosition implements Closeable {
    private final ConsumedLog log;
    private final AckedRanges done;
    private final LogReader reader;
    private final LogReader again;
    private final TreeMap<Long, Attempt> earlier;
    private long sequence;

    /**
     * Creates a position that is not started yet.
     *
     * @param earlier deliveries before the log was opened
     */
    ReadPosition(ConsumedLog log, AckedRanges done, Map<Long, Attempt> earlier) {
        this.log = log;
        this.done = done;
        this.reader = log.newReader();
        this.again = log.newReader();
        this.earlier = new TreeMap<>(earlier);
    }

    /**
     * Starts at a sequence that the log has; returns the bytes of all records before it.
     *
     * @param hint of a record at or before it, used where it is in the same segment
     */
    long start(long first, Place hint) throws IOException {
        sequence = first;
        Segment segment = log.segments().holding(first);
        try {
            if (hint.sequence() <= first
                    && hint.segment() == segment.firstSequence()
                    && hint.position() >= SegmentHeader.BYTES) {
                reader.start(segment, hint.position(), hint.sequence(), hint.offset());
                for (long passed = hint.sequence(); passed < first; passed++) {
                    reader.view(passed);
                    reader.advance();
                }
            } else {
                reader.view(first);
            }
            return reader.offset();
        } catch (CorruptLogException toldWhenItIsRead) {
            return segment.offset();
        }
    }

    /** Starts behind everything that was appended by now. */
    void startAtEnd() throws IOException {
        sequence = log.startAtEnd(reader);
        earlier.clear();
    }

    /** Starts where the log will go on. */
    void startAtEnd(long end) {
        sequence = end;
    }

    long sequence() {
        return sequence;
    }

    /** Returns the segment of the record that {@link #read} gave. */
    Segment segment() {
        return Objects.requireNonNull(reader.segment());
    }

    boolean isLastOfSegment() {
        Segment segment = reader.segment();
        return segment != null && sequence + 1 >= segment.endSequence();
    }

    /** Returns where the next record is read, as far as that is known. */
    Place place() {
        Segment segment = reader.segment();
        return segment == null
                ? Place.UNKNOWN
                : new Place(sequence, segment.firstSequence(), reader.position(), reader.offset());
    }

    /** Returns the bytes of all records before the next. */
    long offset() {
        return reader.segment() == null ? done.floorOffset() : reader.offset();
    }

    /** Returns the time in milliseconds of the epoch before which the record that {@link #read} gave is not handed out; 0 for none. */
    long notBeforeMillis(byte[] payload) {
        Attempt attempt = attempt();
        if (attempt != null) {
            return attempt.notBeforeMillis();
        }
        return reader.isDelayed() ? DelayedPayload.notBeforeMillis(payload) : 0;
    }

    /** Returns the element of the record that {@link #read} gave. */
    byte[] element(byte[] payload) {
        return reader.isDelayed() ? DelayedPayload.element(payload) : payload;
    }

    /** Returns the record that {@link #read} gave, with the deliveries that it had. */
    Delivery delivery() {
        Attempt attempt = attempt();
        int times = attempt == null ? 0 : attempt.deliveries();
        return new Delivery(sequence, segment(), reader.position(), reader.offset(), times);
    }

    private @Nullable Attempt attempt() {
        return earlier.isEmpty() ? null : earlier.get(sequence);
    }

    /** Forgets the earlier deliveries of a record that was consumed. */
    void forget(long consumed) {
        if (!earlier.isEmpty()) {
            earlier.remove(consumed);
        }
    }

    /**
     * Returns the element of a record that the cursor has passed.
     *
     * @throws CorruptLogException if it is damaged
     */
    byte[] readAgain(Delivery passed) throws IOException {
        again.start(passed.segment(), passed.position(), passed.sequence(), passed.offset());
        byte[] payload = again.read(passed.sequence());
        return again.isDelayed() ? DelayedPayload.element(payload) : payload;
    }

    /**
     * Returns the payload of the next record that is not consumed; null where there is none yet.
     *
     * @throws CorruptLogException if it is damaged: {@link #sequence} tells which
     */
    byte @Nullable [] read() throws IOException {
        for (; ; ) {
            passConsumed();
            if (!log.isCommitted(sequence)) { // which may commit records that were removed before
                reader.rest();
                return null;
            }
            if (done.isGapless() || !done.contains(sequence)) {
                return reader.read(sequence);
            }
        }
    }

    /** Reads the next record, consumed or not, which must be committed. */
    void view() throws IOException {
        Object unused = reader.view(sequence);
    }

    /** Moves from a damaged record to the next that can be read; returns its sequence. */
    long skipDamage() throws IOException {
        sequence = Math.min(reader.skip(sequence), log.committed() + 1);
        return sequence;
    }

    /** Moves behind the record that {@link #read} gave. */
    void advance() {
        if (!earlier.isEmpty()) {
            earlier.headMap(sequence, true).clear();
        }
        reader.advance();
        sequence++;
    }

    /** Moves behind records that are consumed already. */
    void passConsumed() throws IOException {
        while (!done.isGapless() && sequence <= log.committed() && done.contains(sequence)) {
            try {
                reader.view(sequence);
                reader.advance();
                sequence++;
            } catch (CorruptLogException | NoSuchFileException releasedOrDamaged) {
                sequence = Math.min(done.nextLeft(sequence), log.committed() + 1);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (reader) {
            again.close();
        }
    }
}
