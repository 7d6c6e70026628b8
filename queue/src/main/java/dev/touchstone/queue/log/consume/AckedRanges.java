package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.segment.Segment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The sequences that one cursor has consumed: all below a floor, and ranges above it. */
public final class AckedRanges {
    /*
     * Who calls:      the holder of the cursor's lock changes; any thread reads the volatile fields.
     * Invariants:     every sequence below floor is consumed; no range above touches it once moveFloor has returned. A reserved sequence
     *                 counts as consumed and is not below the floor.
     * Ordering:       floor is written before counted, so a reader that sees counted == floor - 1 knows that nothing is consumed above
     *                 the floor that it read before.
     */
    private final SequenceRanges above = new SequenceRanges();
    private long count;
    private long countAtOpen;
    private long reserved;
    private volatile long floor;
    private volatile long floorOffset;
    private volatile long counted;
    private final AtomicLong skipped = new AtomicLong();

    /** Begins with the ranges that are consumed above {@code newFloor}. */
    void begin(long newFloor, SequenceRanges ranges) {
        above.addAll(ranges);
        above.dropBefore(newFloor);
        floor = newFloor;
        count(newFloor - 1 + above.size());
        countAtOpen = count;
    }

    /** Returns the sequence below which everything is consumed. */
    public long floor() {
        return floor;
    }

    /** Returns the bytes of all records below the floor. */
    long floorOffset() {
        return floorOffset;
    }

    /** Returns how many of the sequences up to {@code last} are not consumed; exact at some moment of the call. */
    long left(LongSupplier last) {
        for (; ; ) {
            long before = counted;
            long left = last.getAsLong() - before;
            if (before == counted) {
                return Math.max(0, left);
            }
        }
    }

    long sinceOpen() {
        return counted - countAtOpen;
    }

    /** Returns how many sequences were lost to damage since the log was opened. */
    long skipped() {
        return skipped.get();
    }

    /** Returns whether {@link #contains} can be told without the lock: below the floor, or with nothing consumed above it. */
    public boolean isCertain(long sequence) {
        long low = floor;
        return sequence < low || counted == low - 1;
    }

    public boolean contains(long sequence) {
        return sequence < floor || above.contains(sequence);
    }

    /** Returns whether all sequences from {@code first} to before {@code end} are consumed. */
    boolean covers(long first, long end) {
        return end <= floor || above.endFrom(Math.max(first, floor)) >= end;
    }

    /** Returns whether all sequences of a segment are consumed. */
    boolean covers(Segment segment) {
        return covers(segment.firstSequence(), segment.endSequence());
    }

    /** Returns the number of ranges above the floor that are consumed. */
    int gaps() {
        return above.count();
    }

    boolean isGapless() {
        return above.isEmpty();
    }

    /** Returns the first sequence from {@code sequence} on that is not consumed. */
    long nextLeft(long sequence) {
        return above.endFrom(Math.max(sequence, floor));
    }

    /** Consumes sequences above the floor. */
    public void add(long first, long end) {
        count(above.add(first, end));
    }

    /** Counts a sequence above the floor as consumed, until it is, or is not after all. */
    void reserve() {
        reserved++;
        count(1);
    }

    /** Stops counting a sequence as consumed, if it was reserved. */
    void unreserve(boolean wasReserved) {
        if (wasReserved) {
            reserved--;
            count(-1);
        }
    }

    /** Stops counting reserved sequences as consumed. */
    void unreserveAll() {
        count(-reserved);
        reserved = 0;
    }

    /** Consumes a sequence above the floor, that may be reserved. */
    void add(long sequence, boolean wasReserved) {
        long added = above.add(sequence, sequence + 1);
        reserved -= wasReserved ? 1 : 0;
        count(wasReserved ? added - 1 : added);
    }

    /** Returns how many sequences are reserved. */
    long reserved() {
        return reserved;
    }

    /** Consumes sequences that are lost. */
    void skip(long first, long end) {
        long lost = above.add(first, end);
        skipped.getAndAdd(lost);
        count(lost);
    }

    /** Returns the sequence that the floor can move to. */
    long settled() {
        return above.endFrom(floor);
    }

    /** Moves the floor to {@code next}, below which everything counts as consumed from now on. */
    public void moveFloor(long next, long offset) {
        above.dropBefore(next);
        floorOffset = offset;
        floor = next;
        count(next - 1 + above.size() + reserved - count);
    }

    /** Moves the floor by one record, with nothing consumed above it. */
    void advance(long next, long offset) {
        floorOffset = offset;
        floor = next;
        count(1);
    }

    /** Adds what is consumed above the floor to {@code target}. */
    void copyTo(SequenceRanges target) {
        target.addAll(above);
    }

    private void count(long more) {
        count += more;
        counted = count;
    }
}
