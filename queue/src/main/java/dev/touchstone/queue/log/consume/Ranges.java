package dev.touchstone.queue.log.consume;

import java.util.Map;
import java.util.TreeMap;

/** A set of sequences, kept as ranges. Not thread-safe. */
public final class Ranges {
    private final TreeMap<Long, Long> ends = new TreeMap<>(); // of each range, by its first sequence; none touch

    public boolean isEmpty() {
        return ends.isEmpty();
    }

    public int count() {
        return ends.size();
    }

    public boolean contains(long sequence) {
        Map.Entry<Long, Long> range = ends.floorEntry(sequence);
        return range != null && sequence < range.getValue();
    }

    /** Whether a range begins behind, or ends before, this sequence: so that adding it makes none more. */
    public boolean touches(long sequence) {
        Map.Entry<Long, Long> before = ends.floorEntry(sequence);
        return (before != null && before.getValue() >= sequence) || ends.containsKey(sequence + 1);
    }

    /** Adds all from {@code first} to before {@code end}; false where a part of them is there already. */
    public boolean add(long first, long end) {
        Map.Entry<Long, Long> before = ends.floorEntry(end - 1);
        if (first >= end || (before != null && before.getValue() > first)) {
            return false;
        }
        long from = first;
        if (before != null && before.getValue() == first) {
            from = before.getKey();
        }
        Long to = ends.remove(end);
        ends.put(from, to == null ? end : to);
        return true;
    }

    /** The end of the range that holds {@code sequence}; else {@code sequence}. */
    public long endFrom(long sequence) {
        Map.Entry<Long, Long> range = ends.floorEntry(sequence);
        return range == null ? sequence : Math.max(sequence, range.getValue());
    }

    /** Takes out what lies before {@code sequence}. */
    public void dropBefore(long sequence) {
        if (ends.isEmpty()) {
            return;
        }
        long end = endFrom(sequence);
        ends.headMap(sequence, true).clear();
        if (end > sequence) {
            ends.put(sequence, end);
        }
    }

    /** First sequence and end, in turn, of the first {@code most} ranges. */
    public long[] toArray(int most) {
        long[] array = new long[2 * Math.min(most, ends.size())];
        int i = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            if (i == array.length) {
                break;
            }
            array[i++] = range.getKey();
            array[i++] = range.getValue();
        }
        return array;
    }

    /** Sequences in all ranges. */
    public long size() {
        return ends.entrySet().stream()
                .mapToLong(range -> range.getValue() - range.getKey())
                .sum();
    }
}
