package dev.touchstone.queue.log.consume;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A set of sequences, kept as disjoint ranges that do not touch. Not thread-safe. */
final class SequenceRanges {
    private final TreeMap<Long, Long> ends = new TreeMap<>(); // end (exclusive) of each range, by its first sequence
    private long size;

    /** A range of sequences. */
    record Range(long first, long end) {}

    boolean isEmpty() {
        return ends.isEmpty();
    }

    /** Returns the number of ranges. O(1). */
    int count() {
        return ends.size();
    }

    /** Returns the number of sequences in all ranges. O(1). */
    long size() {
        return size;
    }

    boolean contains(long sequence) {
        return endFrom(sequence) > sequence;
    }

    /** Returns the end of the range that holds {@code sequence}, or {@code sequence} where none does. */
    long endFrom(long sequence) {
        if (ends.isEmpty()) {
            return sequence; // as for every record that is consumed in turn: boxes nothing
        }
        Map.Entry<Long, Long> range = ends.floorEntry(sequence);
        return range == null ? sequence : Math.max(sequence, range.getValue());
    }

    /** Returns the first sequence of the range that holds {@code sequence}, or {@code sequence} where none does. */
    long firstOf(long sequence) {
        Map.Entry<Long, Long> range = ends.floorEntry(sequence);
        return range == null || range.getValue() <= sequence ? sequence : range.getKey();
    }

    /** Adds the sequences from {@code first} to before {@code end}; returns how many of them were not in the set before. */
    long add(long first, long end) {
        if (first >= end) {
            return 0;
        }
        long from = first;
        long to = end;
        long added = end - first;
        Map.Entry<Long, Long> range = ends.floorEntry(end);
        while (range != null && range.getValue() >= first) {
            added -= Math.max(0, Math.min(range.getValue(), end) - Math.max(range.getKey(), first));
            from = Math.min(from, range.getKey());
            to = Math.max(to, range.getValue());
            ends.remove(range.getKey());
            range = ends.floorEntry(end);
        }
        ends.put(from, to);
        size += added;
        return added;
    }

    void clear() {
        ends.clear();
        size = 0;
    }

    /** Removes the sequences before {@code sequence}. */
    void dropBefore(long sequence) {
        if (ends.isEmpty()) {
            return;
        }
        long end = endFrom(sequence);
        Map<Long, Long> dropped = ends.headMap(sequence, true);
        dropped.forEach((first, last) -> size -= last - first);
        dropped.clear();
        if (end > sequence) {
            ends.put(sequence, end);
            size += end - sequence;
        }
    }

    /** Removes the sequences from {@code sequence} on. */
    void dropFrom(long sequence) {
        Map<Long, Long> dropped = ends.tailMap(sequence, true);
        dropped.forEach((first, end) -> size -= end - first);
        dropped.clear();
        Map.Entry<Long, Long> last = ends.lastEntry();
        if (last != null && last.getValue() > sequence) {
            ends.put(last.getKey(), sequence);
            size -= last.getValue() - sequence;
        }
    }

    /** Removes ranges in order for as long as {@code taker} accepts them; returns whether it accepted all. */
    boolean drainTo(Predicate<Range> taker) {
        for (Map.Entry<Long, Long> range = ends.firstEntry(); range != null; range = ends.firstEntry()) {
            if (!taker.test(new Range(range.getKey(), range.getValue()))) {
                return false;
            }
            ends.remove(range.getKey());
            size -= range.getValue() - range.getKey();
        }
        return true;
    }

    /** Adds every range of another set. */
    void addAll(SequenceRanges others) {
        others.ends.forEach(this::add);
    }

    /** Gives every range to {@code visitor}, in order. */
    void forEach(Visitor visitor) {
        ends.forEach((first, end) -> visitor.range(first, end));
    }

    /** Is given ranges. */
    interface Visitor {
        void range(long first, long end);
    }
}
