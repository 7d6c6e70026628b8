package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The cursors of a log: its own, and those with names. Thread-safe. */
public final class ConsumerRegistry implements Closeable {
    /*
     * Who calls:      any thread; cursors are added and removed, and segments taken back, under this.
     * Invariants:     keeping holds the cursors that keep records from being taken back: all, but the log's own where only named ones
     *                 consume. A segment is taken back only when the journal says on the device that each of them has consumed it.
     */
    private final ConsumedLog log;
    private final LogOptions options;
    private final ConsumptionJournal journal;
    private final LogCursor own;
    private final Map<String, LogCursor> named = new ConcurrentSkipListMap<>();
    private final List<LogCursor> keeping = new CopyOnWriteArrayList<>();

    @GuardedBy("this")
    private long heldFrom = Long.MAX_VALUE;

    /**
     * Creates the cursors that the journal knows.
     *
     * @param end the sequence that the log's next record will have
     * @param endOffset bytes of all records before it
     */
    public ConsumerRegistry(ConsumedLog log, LogOptions options, ConsumptionJournal journal, long end, long endOffset)
            throws IOException {
        this.log = log;
        this.options = options;
        this.journal = journal;
        LogCursor first = null;
        for (JournaledCursor journaled : journal.cursors()) {
            LogCursor cursor = new LogCursor(log, journal, journaled, end, endOffset);
            if (cursor.name().isEmpty()) {
                first = cursor;
            } else {
                named.put(cursor.name(), cursor);
            }
            if (!cursor.name().isEmpty() || !options.namedCursorsOnly()) {
                keeping.add(cursor);
            }
        }
        if (first == null) {
            throw new IllegalArgumentException("no cursor of the log's own");
        }
        this.own = first;
    }

    /** Returns the cursor that every log has. */
    public LogCursor own() {
        return own;
    }

    /** Returns the names of the others. */
    public Set<String> names() {
        return Set.copyOf(named.keySet());
    }

    /** Returns the named cursor, or null if there is none of this name; makes none, and answers also when the log is closed. */
    public @Nullable LogCursor find(String name) {
        return named.get(name);
    }

    /** Returns the cursors that keep records from being taken back. */
    public List<LogCursor> keeping() {
        return keeping;
    }

    /** Returns the lowest floor of those that keep records, or {@code ifNone}. */
    public long lowestFloor(long ifNone) {
        long lowest = Long.MAX_VALUE;
        for (LogCursor cursor : keeping) {
            lowest = Math.min(lowest, cursor.floor());
        }
        return lowest == Long.MAX_VALUE ? ifNone : lowest;
    }

    /** Returns the cursor of this name, made where absent: it begins with what the log's own has not consumed, or with all there is. */
    public synchronized LogCursor get(String name) throws IOException {
        log.checkOpen();
        LogCursor cursor = named.get(name);
        return cursor == null ? add(name) : cursor;
    }

    private LogCursor add(String name) throws IOException {
        long end = log.committed() + 1;
        return add(name, options.namedCursorsOnly() ? log.segments().oldestSequence(end) : own.floor());
    }

    /** Makes a cursor that begins at a sequence from the log's own floor on, or where only named ones consume from the oldest record on. */
    public synchronized LogCursor add(String name, long start) throws IOException {
        if (named.size() + 1 >= ConsumptionJournal.MAX_CURSORS) {
            throw new IllegalArgumentException("too many cursors: name=" + name + " max=" + named.size());
        }
        long end = log.committed() + 1;
        ConsumerState state = new ConsumerState(ConsumptionJournal.newId(), name, start);
        if (!options.namedCursorsOnly()) {
            own.copyAbove(state);
        }
        for (Segment segment : log.segments().live()) {
            if (segment.isReleased()) {
                state.consume(segment.firstSequence(), segment.endSequence());
            }
        }
        JournaledCursor journaled = journal.add(state);
        LogCursor cursor = new LogCursor(log, journal, journaled, end, offsetOf(start, end));
        named.put(name, cursor);
        keeping.add(cursor);
        log.floorMoved();
        return cursor;
    }

    private long offsetOf(long start, long end) throws IOException {
        if (!options.namedCursorsOnly()) {
            return own.floorOffset();
        }
        if (start < end || log.segments().live().isEmpty()) {
            return log.segments().oldestOffset(own.floorOffset());
        }
        try (LogReader reader = log.newReader()) {
            if (log.startAtEnd(reader) > start) { // records were on their way
                Object unused = reader.view(start);
            }
            return reader.offset();
        }
    }

    /** Ends a cursor and forgets it; what it alone has not consumed is no longer kept. Returns false where there is none. */
    public synchronized boolean drop(String name) throws IOException {
        log.checkOpen();
        LogCursor cursor = named.get(name);
        if (cursor == null) {
            return false;
        }
        journal.remove(cursor.journaled());
        named.remove(name);
        keeping.remove(cursor);
        cursor.drop();
        log.floorMoved();
        log.reclaim();
        return true;
    }

    /**
     * Keeps the records from a sequence on, consumed or not, until {@link #endHold}. What is being taken back at the moment is gone on return.
     *
     * @param retained whether records before it that are retained are kept, too
     * @return the sequence of the first record that is kept
     */
    public synchronized long hold(long sequence, boolean retained) {
        heldFrom = retained && options.retention().isAny()
                ? Math.min(sequence, log.segments().oldestSequence(sequence))
                : sequence;
        return heldFrom;
    }

    /** Ends the hold: segments that no cursor needs and that are not retained are taken back, in the background. */
    public synchronized void endHold() {
        heldFrom = Long.MAX_VALUE;
        log.reclaim();
    }

    /** Takes back the segments that every cursor has consumed; not while a cursor is being made. */
    public synchronized void release(SegmentStore segments) throws IOException {
        Set<Segment> consumed = new LinkedHashSet<>();
        boolean isOldest = true;
        for (Segment segment : segments.live()) {
            if (isConsumed(segment) && segment.endSequence() <= heldFrom && log.mayTakeBack(isOldest)) {
                consumed.add(segment);
            } else {
                isOldest = false;
            }
        }
        if (consumed.isEmpty()) {
            return;
        }
        try {
            if (options.namedCursorsOnly()) {
                // or the next open without named cursors would miss what is taken back now
                for (Segment segment : consumed) {
                    journal.consumed(own.journaled(), segment.firstSequence(), segment.endSequence());
                }
            }
            journal.force();
        } catch (IOException e) {
            log.fail(e);
            throw e;
        }
        segments.release(consumed, journal.checkpoint());
    }

    private boolean isConsumed(Segment segment) {
        long end = segment.endSequence();
        return end < Long.MAX_VALUE
                && !keeping.isEmpty()
                && keeping.stream().allMatch(cursor -> cursor.covers(segment.firstSequence(), end));
    }

    /** Returns once all consumption before the call is on the device. */
    public void force() throws IOException {
        own.rememberPlace();
        named.values().forEach(LogCursor::rememberPlace);
        journal.force();
    }

    @Override
    public void close() throws IOException {
        for (LogCursor cursor : named.values()) {
            cursor.close();
        }
        own.close();
    }
}
