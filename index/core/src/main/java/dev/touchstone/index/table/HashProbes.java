package dev.touchstone.index.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hash of a string by its length and its characters at a few positions. Immutable. An ASCII string and its bytes have the same hash. */
final class HashProbes {
    /** Maximum number of positions of a hash. */
    static final int MAX_PLACES = 4;

    /** Number of positions that are tried, from the begin of the strings. */
    private static final int FURTHEST = 48;

    /** Divisor of the number of strings that gives how many may have the same hash as another one. */
    private static final int SHARING = 16;

    private final int[] places;

    private HashProbes(int[] places) {
        this.places = places;
    }

    /** Returns the positions that distinguish distinct strings, the best one first; null if none do. */
    static @Nullable HashProbes choose(List<String> strings) {
        String[] values = strings.toArray(String[]::new);
        int wanted = values.length;
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
        return wanted - best <= wanted / SHARING ? new HashProbes(chosen) : null;
    }

    private static int distinct(String[] values, int[] places) {
        HashProbes samples = new HashProbes(places);
        int mask = Integer.highestOneBit(values.length | 1) * 4 - 1;
        int[] seen =
                new int[mask + 1]; // hashes, with open addressing; 0 is a free slot, so a hash of 0 counts as one of 1
        int distinct = 0;
        for (String value : values) {
            int hash = Math.max(1, samples.hash(value) & Integer.MAX_VALUE);
            int at = hash & mask;
            while (seen[at] != 0 && seen[at] != hash) {
                at = (at + 1) & mask;
            }
            distinct += seen[at] == 0 ? 1 : 0;
            seen[at] = hash;
        }
        return distinct;
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
