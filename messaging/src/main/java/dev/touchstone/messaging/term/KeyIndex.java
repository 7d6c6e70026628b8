package dev.touchstone.messaging.term;

import org.jspecify.annotations.Nullable;

/**
 * A hash index of a map's keys: open addressing with linear probing over entry numbers plus one (0 is free), in a {@code byte[]} where
 * the numbers fit it and else in an {@code int[]}. Null for few keys without parts, which are compared one by one in less time.
 */
final class KeyIndex {
    private static final int MAX_UNINDEXED = 8;
    private static final int MAX_IN_BYTES = 127;

    private KeyIndex() {}

    /** Returns a limit of probes that only keys chosen to collide exceed. */
    static long probesAllowed(int keys) {
        return 16L * keys + 1024;
    }

    /**
     * Builds the index of {@code entries}: key, value, key, value.
     *
     * @throws IllegalArgumentException if a key is there twice, nested too deep, or takes more probes than are allowed
     */
    static @Nullable Object build(Term[] entries, long probesAllowed) {
        int size = entries.length >> 1;
        if (!checkNesting(entries) && size <= MAX_UNINDEXED) {
            compareAll(entries);
            return null;
        }
        // a power of two, at least twice the keys
        int slots = Integer.highestOneBit(2 * size - 1) << 1;
        return size <= MAX_IN_BYTES ? inBytes(entries, slots, probesAllowed) : inInts(entries, slots, probesAllowed);
    }

    /** Returns whether some key has parts. Comparing such keys one by one, at every level of nesting, could take too long. */
    private static boolean checkNesting(Term[] entries) {
        TermHash hasher = null;
        for (int i = 0; i < entries.length; i += 2) {
            if (!(entries[i] instanceof Atom) && TermComparator.isDeep(entries[i])) {
                hasher = hasher == null ? new TermHash() : hasher;
                hasher.hash(entries[i]);
                if (hasher.keyNesting() > ErlMap.MAX_KEY_NESTING) {
                    throw new IllegalArgumentException(
                            "maps in keys of maps are nested too deep: max=" + ErlMap.MAX_KEY_NESTING);
                }
            }
        }
        return hasher != null;
    }

    private static void compareAll(Term[] entries) {
        for (int i = 2; i < entries.length; i += 2) {
            for (int j = 0; j < i; j += 2) {
                if (entries[i].equals(entries[j])) {
                    throw twice(i >> 1, j >> 1);
                }
            }
        }
    }

    private static byte[] inBytes(Term[] entries, int slots, long probesAllowed) {
        byte[] table = new byte[slots];
        long probes = probesAllowed;
        for (int entry = 0; 2 * entry < entries.length; entry++) {
            Term key = entries[2 * entry];
            int slot = hash(key) & slots - 1;
            for (int other = table[slot]; other != 0; other = table[slot]) {
                if (entries[2 * other - 2].equals(key)) {
                    throw twice(entry, other - 1);
                }
                probes = spend(probes);
                slot = slot + 1 & slots - 1;
            }
            table[slot] = (byte) (entry + 1);
        }
        return table;
    }

    private static int[] inInts(Term[] entries, int slots, long probesAllowed) {
        int[] table = new int[slots];
        long probes = probesAllowed;
        for (int entry = 0; 2 * entry < entries.length; entry++) {
            Term key = entries[2 * entry];
            int slot = hash(key) & slots - 1;
            for (int other = table[slot]; other != 0; other = table[slot]) {
                if (entries[2 * other - 2].equals(key)) {
                    throw twice(entry, other - 1);
                }
                probes = spend(probes);
                slot = slot + 1 & slots - 1;
            }
            table[slot] = entry + 1;
        }
        return table;
    }

    /** Returns the key's hash code, without a virtual call where the key is an atom, as most are. */
    private static int hash(Term key) {
        return key instanceof Atom atom ? atom.hashCode() : key.hashCode();
    }

    private static long spend(long probes) {
        if (probes == 0) {
            throw new IllegalArgumentException("too many keys of a map have the same hash");
        }
        return probes - 1;
    }

    private static IllegalArgumentException twice(int entry, int other) {
        return new IllegalArgumentException("a key is there twice: at=" + other + " and=" + entry);
    }

    /** Returns the number of the entry whose key is {@code key}, or -1. */
    static int find(Term[] entries, @Nullable Object index, Term key) {
        if (index instanceof byte[] table) {
            int slot = key.hashCode() & table.length - 1;
            for (int entry = table[slot]; entry != 0; entry = table[slot]) {
                if (entries[2 * entry - 2].equals(key)) {
                    return entry - 1;
                }
                slot = slot + 1 & table.length - 1;
            }
            return -1;
        }
        return index instanceof int[] table ? findInInts(entries, table, key) : findUnindexed(entries, key);
    }

    private static int findInInts(Term[] entries, int[] table, Term key) {
        int slot = key.hashCode() & table.length - 1;
        for (int entry = table[slot]; entry != 0; entry = table[slot]) {
            if (entries[2 * entry - 2].equals(key)) {
                return entry - 1;
            }
            slot = slot + 1 & table.length - 1;
        }
        return -1;
    }

    private static int findUnindexed(Term[] entries, Term key) {
        for (int i = 0; i < entries.length; i += 2) {
            if (entries[i].equals(key)) {
                return i >> 1;
            }
        }
        return -1;
    }
}
