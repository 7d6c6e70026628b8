package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.Deliveries.Delivery;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one cursor has handed out and consumed, and the file that says so. Guarded by the cursor's lock. */
public final class Consumption implements Closeable {
    /*
     * Invariants:     floor <= head <= committed + 1. Below the floor all is consumed; between floor and head a sequence is consumed
     *                 or in deliveries; from head on nothing was handed out, but iterators may have consumed some. The floor on disk
     *                 is at most the floor.
     */
    private static final int REMOVALS_PER_WRITE = 1024;

    private final RecordLog log;
    private final CursorFile file;
    private final boolean batched;
    private final Consumed done = new Consumed();
    private final Head head;
    private final Deliveries deliveries;
    private final LogReader again;
    private int unwritten;
    private long floorSegment; // first sequence of the segment that the floor was in when it was last looked at

    /** As {@link LogCursor}'s. */
    public Consumption(RecordLog log, CursorFile file, LogOptions options, long end, long endOffset)
            throws IOException {
        this.log = log;
        this.file = file;
        this.batched = options.commit() == LogOptions.Commit.MEMORY;
        this.head = new Head(log, done);
        this.again = log.newReader();
        this.deliveries = new Deliveries(options.leases());
        CursorFile.State state = file.state();
        long first = Math.min(end, Math.max(state.floor(), log.segments().oldestSequence(end)));
        done.begin(first, state.ranges());
        if (first == end) {
            head.startAtEnd(end);
            done.moveFloor(end, endOffset);
        } else {
            done.moveFloor(first, head.start(first, state));
        }
        settle();
    }

    public Consumed done() {
        return done;
    }

    public Deliveries deliveries() {
        return deliveries;
    }

    /** Gives the next record to {@code decoder}, and consumes it if asked to. */
    public <T> @Nullable T next(Function<byte[], T> decoder, boolean remove) throws IOException {
        Delivery back = firstReturned();
        byte[] found = back == null ? readHead() : again.read(back.sequence());
        if (found == null) {
            return null;
        }
        T element = decoder.apply(found);
        if (remove && back == null) {
            consumeHead();
        } else if (remove && back != null) {
            deliveries.remove(back.sequence());
            consume(back.sequence());
        }
        return element;
    }

    /** Hands the next record out, as a lease of {@code owner}'s; null where there is none to hand out. */
    public <T> @Nullable LogLease<T> lease(LogCursor owner, Function<byte[], T> decoder) throws IOException {
        Delivery back = firstReturned();
        if (!deliveries.hasRoom()) {
            return null;
        }
        if (back != null) {
            T element = decoder.apply(again.read(back.sequence()));
            return new LogLease<>(owner, element, deliveries.lease(back));
        }
        byte[] payload = readHead();
        Segment segment = head.segment();
        if (payload == null || segment == null) {
            return null;
        }
        T element = decoder.apply(payload);
        Delivery first = new Delivery(head.sequence(), segment, head.position(), head.offset(), 0, 0);
        head.advance();
        return new LogLease<>(owner, element, deliveries.lease(first));
    }

    /** Consumes all that was appended before the call. */
    public void clear() throws IOException {
        head.startAtEnd();
        deliveries.clear();
        moveFloor(head.sequence(), head.offset());
        write();
        log.floorPassedSegment();
    }

    /** Whether the record at the floor is out on lease. */
    public boolean isOldestOut() throws IOException {
        Delivery first = deliveries.first();
        return first != null && first.sequence() == done.floor() && !first.equals(firstReturned());
    }

    @Override
    public void close() throws IOException {
        try (file;
                head;
                again) {
            deliveries.clear();
        }
    }

    private byte @Nullable [] readHead() throws IOException {
        try {
            return head.read();
        } finally {
            if (head.takeMoved()) {
                settle();
                write();
                log.floorPassedSegment();
            }
        }
    }

    /** The first record that came back, which {@link #again} has at hand; null for none. Damaged ones count as lost. */
    private @Nullable Delivery firstReturned() throws IOException {
        for (Delivery back = deliveries.firstReturned(); back != null; back = deliveries.firstReturned()) {
            try {
                again.start(back.segment(), back.position(), back.sequence(), back.offset());
                again.view(back.sequence());
                return back;
            } catch (CorruptLogException damage) {
                LogOptions.OnDamage decision = log.onDamage(damage);
                if (decision != LogOptions.OnDamage.STOP) {
                    deliveries.remove(back.sequence());
                    done.skip(back.sequence(), back.sequence() + 1);
                    settle();
                    write();
                }
                if (decision != LogOptions.OnDamage.SKIP) {
                    throw damage;
                }
            }
        }
        return null;
    }

    /** Consumes the record that {@link #readHead} gave; where the file that should say so cannot be written, it stays. */
    private void consumeHead() throws IOException {
        if (!deliveries.isEmpty() || !done.isGapless()) {
            long sequence = head.sequence();
            head.advance();
            consume(sequence);
            return;
        }
        long next = head.sequence() + 1;
        int bytes = head.recordBytes();
        boolean segmentDone = head.isLastOfSegment() || head.firstOfSegment() != floorSegment;
        floorSegment = head.firstOfSegment();
        if (!batched || segmentDone || ++unwritten >= REMOVALS_PER_WRITE) {
            file.consumed(
                    next, head.firstOfSegment(), head.position() + bytes, head.offset() + bytes, CursorFile.NO_RANGES);
            unwritten = 0;
        }
        head.advance();
        done.advance(next, head.offset());
        log.floorMoved();
        if (segmentDone) {
            log.floorPassedSegment();
        }
    }

    /**
     * Consumes a record that is not the head, or not in turn. Where the file that should say so cannot be written the log ends, so that
     * the next open hands it out again.
     */
    public void consume(long sequence) throws IOException {
        try {
            done.add(sequence);
            settle();
            long segment = log.segments().firstOf(done.floor());
            boolean segmentDone = segment != floorSegment;
            floorSegment = segment;
            if (!batched || segmentDone || ++unwritten >= REMOVALS_PER_WRITE) {
                write();
            }
            if (segmentDone) {
                log.floorPassedSegment();
            }
        } catch (IOException e) {
            log.fail(e);
            throw e;
        }
    }

    /** Moves the floor over what is done, as far as the head has come. */
    private void settle() {
        try {
            head.passDone();
        } catch (IOException notNow) {
            // the head goes on when it is read
        }
        long next = Math.min(done.settled(), head.sequence());
        if (next > done.floor()) {
            Delivery first = deliveries.first();
            moveFloor(next, first == null || first.sequence() != next ? head.offset() : first.offset());
        }
    }

    private void moveFloor(long next, long offset) {
        done.moveFloor(next, offset);
        log.floorMoved();
    }

    /** Writes where the floor is: at the oldest that is out, or at the head. */
    public void write() throws IOException {
        Delivery first = deliveries.first();
        long floor = done.floor();
        if (first != null && first.sequence() == floor) {
            long segment = first.segment().firstSequence();
            file.consumed(floor, segment, first.position(), first.offset(), done.ranges());
        } else {
            file.consumed(floor, head.firstOfSegment(), head.position(), head.offset(), done.ranges());
        }
        unwritten = 0;
    }
}
