package dev.touchstone.benchmarks.queue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** The times of one thread's appends in their order, and which of them went over to another file. Belongs to that thread. */
final class RollTimes {

    /** The append that rolls, and those that what runs beside it may delay. */
    private static final int AROUND = 3;

    private static final int FIRST_CAPACITY = 1 << 16;

    private final BitSet rolled = new BitSet();
    private long[] nanos = new long[FIRST_CAPACITY];
    private int count;

    void add(long took, boolean hasRolled) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        rolled.set(count, hasRolled);
        nanos[count++] = took;
    }

    int rolls() {
        return rolled.cardinality();
    }

    /** Median over all rolls of the longest append around one, in median appends; 0 where there is none. */
    double rollPause() {
        return inMedians(median(longest(rolled.stream())));
    }

    /** The longest append around a roll, in median appends; 0 where there is none. */
    double worstRollPause() {
        return inMedians((double) Arrays.stream(longest(rolled.stream())).max().orElse(0));
    }

    /** Returns a pause like {@link #rollPause}, of appends midway between a roll and the next. */
    double midFilePause() {
        return inMedians(median(longest(rolled.stream().map(this::midway).filter(at -> at >= 0))));
    }

    private int midway(int roll) {
        int next = rolled.nextSetBit(roll + 1);
        return next < roll + 2 * AROUND ? -1 : (roll + next) / 2;
    }

    private long[] longest(IntStream starts) {
        return starts.mapToLong(start -> Arrays.stream(nanos, start, Math.min(count, start + AROUND))
                        .max()
                        .orElse(0))
                .toArray();
    }

    private double inMedians(double time) {
        double unit = median(Arrays.copyOf(nanos, count));
        return unit == 0 ? 0 : time / unit;
    }

    private static double median(long[] values) {
        if (values.length == 0) {
            return 0;
        }
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }
}
