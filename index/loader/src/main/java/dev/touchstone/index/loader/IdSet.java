package dev.touchstone.index.loader;

import java.util.HashSet;
import java.util.Set;

/** The ids of one offering that a load has read. A UUID takes 16 bytes of a hash table with free slots. Not thread-safe. */
final class IdSet {
    private static final int UUID_CHARS = 36;

    private final long seed; // so that nobody can choose ids that collide
    private final Set<String> others = new HashSet<>(0);
    private long[] halves = new long[32]; // two words for each slot; both are 0 in a free one
    private int used;
    private boolean hasZero;
    private long high;
    private long low;

    IdSet(long seed) {
        this.seed = seed;
    }

    /** Adds an id; returns false if it was added before. */
    boolean add(String id) {
        if (!parse(id)) {
            return others.add(id);
        }
        if ((high | low) == 0) {
            boolean isNew = !hasZero;
            hasZero = true;
            return isNew;
        }
        if (used * 2 >= halves.length / 2) {
            grow();
        }
        return insert(high, low);
    }

    private boolean insert(long first, long second) {
        int mask = halves.length / 2 - 1;
        int slot = slot(first, second) & mask;
        while ((halves[2 * slot] | halves[2 * slot + 1]) != 0) {
            if (halves[2 * slot] == first && halves[2 * slot + 1] == second) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        halves[2 * slot] = first;
        halves[2 * slot + 1] = second;
        used++;
        return true;
    }

    private int slot(long first, long second) {
        long mixed = (first ^ seed) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32) ^ second) * (seed | 1);
        mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 32);
    }

    private void grow() {
        long[] before = halves;
        halves = new long[before.length * 2];
        used = 0;
        for (int at = 0; at < before.length; at += 2) {
            if ((before[at] | before[at + 1]) != 0) {
                insert(before[at], before[at + 1]);
            }
        }
    }

    /** Returns whether an id is a UUID in lower case, and sets the halves of the UUID if so. */
    private boolean parse(String id) {
        if (id.length() != UUID_CHARS) {
            return false;
        }
        long first = 0;
        long second = 0;
        for (int i = 0; i < UUID_CHARS; i++) {
            char c = id.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return false;
                }
                continue;
            }
            int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) {
                return false;
            }
            if (i < 18) {
                first = first << 4 | digit;
            } else {
                second = second << 4 | digit;
            }
        }
        high = first;
        low = second;
        return true;
    }
}
