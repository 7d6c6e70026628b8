package dev.touchstone.index.table;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A hash of a string by its length and its characters at a few positions. Immutable. An ASCII string and its bytes have the same hash. */
final class Samples {
    /** Maximum number of positions of a hash. */
    static final int MAX_PLACES = 4;

    /** Number of positions that are tried, from the begin of the strings. */
    private static final int FURTHEST = 48;

    /** Divisor of the number of strings that gives how many may have the same hash as another one. */
    private static final int SHARING = 16;

    private final int[] places;

    private Samples(int[] places) {
        this.places = places;
    }

    /** Returns the positions that distinguish the strings from index 1 on, the best one first; null if none do. */
    static @Nullable Samples choose(String[] values) {
        int wanted = values.length - 1;
        int[] chosen = new int[0];
        int best = distinct(values, chosen);
        while (best < wanted && chosen.length < MAX_PLACES) {
            int place = -1;
            for (int i = 0; i < FURTHEST; i++) {
                int[] tried = Arrays.copyOf(chosen, chosen.length + 1);
                tried[chosen.length] = i;
                int distinct = distinct(values, tried);
                if (distinct > best) {
                    best = distinct;
                    place = i;
                }
            }
            if (place < 0) {
                break;
            }
            chosen = Arrays.copyOf(chosen, chosen.length + 1);
            chosen[chosen.length - 1] = place;
        }
        return wanted - best <= wanted / SHARING ? new Samples(chosen) : null;
    }

    private static int distinct(String[] values, int[] places) {
        Samples samples = new Samples(places);
        Set<Integer> hashes = new HashSet<>();
        for (int i = 1; i < values.length; i++) {
            hashes.add(samples.hash(values[i]));
        }
        return hashes.size();
    }

    int hash(String value) {
        int last = value.length() - 1;
        int hash = last;
        if (last >= 0) {
            for (int place : places) {
                hash = hash * 31 + value.charAt(Math.min(place, last));
            }
        }
        return spread(hash);
    }

    int hash(byte[] bytes, int from, int length) {
        int last = length - 1;
        int hash = last;
        if (last >= 0) {
            for (int place : places) {
                hash = hash * 31 + bytes[from + Math.min(place, last)];
            }
        }
        return spread(hash);
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ (mixed >>> 15);
    }
}
