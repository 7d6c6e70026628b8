package dev.touchstone.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue in memory that states what the queue on disk must do: keeps every element that was ever accepted, and for each cursor the
 * elements that it has not removed. Not thread-safe.
 */
final class QueueModel {
    private final long maxElements;
    private final boolean dropsOldest;
    private final int maxLeases;
    final List<String> accepted = new ArrayList<>();
    final Cursor own = new Cursor(Map.of());
    final Map<String, Cursor> named = new TreeMap<>();
    long dropped;

    QueueModel(long maxElements, boolean dropsOldest, int maxLeases) {
        this.maxElements = maxElements;
        this.dropsOldest = dropsOldest;
        this.maxLeases = maxLeases;
    }

    /** A consumer: the elements that it has not removed, and which of them are on lease. */
    final class Cursor {
        final TreeMap<Long, String> left;
        private final Set<Long> leased = new HashSet<>();
        private final Map<Long, Integer> deliveries = new HashMap<>();
        long removed;

        private Cursor(Map<Long, String> left) {
            this.left = new TreeMap<>(left);
        }

        @Nullable
        Long next() {
            return left.keySet().stream()
                    .filter(sequence -> !leased.contains(sequence))
                    .findFirst()
                    .orElse(null);
        }

        @Nullable
        String peek() {
            Long next = next();
            return next == null ? null : left.get(next);
        }

        @Nullable
        String poll() {
            Long next = next();
            return next == null ? null : remove(next);
        }

        @Nullable
        String remove(long sequence) {
            leased.remove(sequence);
            deliveries.remove(sequence);
            String element = left.remove(sequence);
            removed += element == null ? 0 : 1;
            return element;
        }

        /** Puts the next element on lease and returns its sequence, or null where there is none or the window is full. */
        @Nullable
        Long lease() {
            Long next = leased.size() < maxLeases ? next() : null;
            if (next != null) {
                leased.add(next);
                deliveries.merge(next, 1, Integer::sum);
            }
            return next;
        }

        int deliveries(long sequence) {
            return deliveries.getOrDefault(sequence, 0);
        }

        boolean nack(long sequence) {
            return leased.remove(sequence);
        }

        int leased() {
            return leased.size();
        }

        void clear() {
            removed += left.size();
            left.clear();
            leased.clear();
            deliveries.clear();
        }

        /** Returns the first sequence that is not removed. */
        long floor() {
            return left.isEmpty() ? nextSequence() : left.firstKey();
        }
    }

    long maxElements() {
        return maxElements;
    }

    int maxLeases() {
        return maxLeases;
    }

    long nextSequence() {
        return accepted.size() + 1L;
    }

    private List<Cursor> cursors() {
        List<Cursor> all = new ArrayList<>(named.values());
        all.add(own);
        return all;
    }

    long lowestFloor() {
        return cursors().stream().mapToLong(Cursor::floor).min().orElseThrow();
    }

    boolean offer(List<String> elements) {
        while (nextSequence() - lowestFloor() + elements.size() > maxElements) {
            if (!dropsOldest || !dropOldest()) {
                return false;
            }
        }
        for (String element : elements) {
            long sequence = nextSequence();
            accepted.add(element);
            cursors().forEach(cursor -> cursor.left.put(sequence, element));
        }
        return true;
    }

    private boolean dropOldest() {
        long lowest = lowestFloor();
        boolean any = false;
        for (Cursor cursor : cursors()) {
            boolean out = cursor.leased.contains(lowest);
            any |= cursor.floor() == lowest && !out && cursor.poll() != null;
        }
        dropped += any ? 1 : 0;
        return any;
    }

    /** Returns the named cursor; a new one gets the elements that the own cursor has not removed. */
    Cursor cursor(String name) {
        return named.computeIfAbsent(name, absent -> new Cursor(own.left));
    }

    /** Returns the elements from a sequence on that some cursor has left, in order. */
    List<String> left(long from) {
        TreeMap<Long, String> left = new TreeMap<>();
        cursors().forEach(cursor -> left.putAll(cursor.left.tailMap(from)));
        return List.copyOf(left.values());
    }

    /** Ends all leases; delivery counts are kept. */
    void reopen() {
        for (Cursor cursor : cursors()) {
            cursor.leased.clear();
            cursor.removed = 0;
        }
        dropped = 0;
    }
}
