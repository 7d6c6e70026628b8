package dev.touchstone.queue.log.consume;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Which sequences one cursor has consumed: all below a floor, and ranges above it. Written under the cursor's lock, read by any. */
public final class Consumed {
    private final Ranges above = new Ranges(); // guarded by the cursor's lock
    private long count; // guarded by the cursor's lock
    private volatile long floor;
    private volatile long floorOffset;
    private volatile long counted; // set after floor
    private final AtomicLong skipped = new AtomicLong();
    private long countAtOpen;

    /** Begins with what a file says, below and above the floor. */
    public void begin(long newFloor, List<Long> ranges) {
        for (int i = 0; i + 1 < ranges.size(); i += 2) {
            above.add(ranges.get(i), ranges.get(i + 1));
        }
        above.dropBefore(newFloor);
        floor = newFloor;
        count(newFloor - 1 + above.size());
        countAtOpen = count;
    }

    /** Every sequence below is consumed. */
    public long floor() {
        return floor;
    }

    /** Bytes of all records below the floor. */
    public long floorOffset() {
        return floorOffset;
    }

    /** Of the sequences up to {@code last}, those that are not consumed; exact at some moment of the call. */
    public long left(LongSupplier last) {
        for (; ; ) {
            long before = counted;
            long left = last.getAsLong() - before;
            if (before == counted) {
                return Math.max(0, left);
            }
        }
    }

    public long sinceOpen() {
        return counted - countAtOpen;
    }

    public long skipped() {
        return skipped.get();
    }

    /** True or false where that is certain without the cursor's lock: below the floor, or with nothing consumed above it. */
    public boolean isCertain(long sequence) {
        long low = floor;
        return sequence < low || counted == low - 1;
    }

    public boolean contains(long sequence) {
        return sequence < floor || above.contains(sequence);
    }

    public boolean isGapless() {
        return above.isEmpty();
    }

    /** Whether consuming this sequence out of turn makes one range more than can be kept. */
    public boolean wouldOverflow(long sequence) {
        return sequence > floor && above.count() >= CursorFile.MAX_RANGES && !above.touches(sequence);
    }

    /** Consumes a sequence above the floor. */
    public void add(long sequence) {
        if (above.add(sequence, sequence + 1)) {
            count(1);
        }
    }

    /** Consumes what is left of a range that is lost. */
    public void skip(long first, long end) {
        skipped.getAndAdd(end - first);
        if (above.add(first, end)) {
            count(end - first);
        } else {
            for (long lost = first; lost < end; lost++) {
                add(lost);
            }
        }
    }

    /** Where the floor can go to. */
    public long settled() {
        return above.endFrom(floor);
    }

    /** Moves the floor to {@code next}, everything below which is consumed by now. */
    public void moveFloor(long next, long offset) {
        above.dropBefore(next);
        floorOffset = offset;
        floor = next;
        count(next - 1 + above.size() - count);
    }

    /** As {@link #moveFloor}, by one record and with nothing consumed above. */
    public void advance(long next, long offset) {
        floorOffset = offset;
        floor = next;
        count(1);
    }

    public long[] ranges() {
        return above.toArray(CursorFile.MAX_RANGES);
    }

    private void count(long more) {
        count += more;
        counted = count;
    }
}
