package dev.touchstone.serialization;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable table of values by 64-bit key. The keys serve as their own hashes, so they must be spread well, as fingerprints are. */
final class LongTable<V> {
    private final long[] keys;
    private final @Nullable Object[] values;

    LongTable(Map<Long, V> entries) {
        int size = Integer.highestOneBit(entries.size() + 1) << 2;
        keys = new long[size];
        values = new @Nullable Object[size];
        entries.forEach(this::put);
    }

    private void put(long key, Object value) {
        int at = slot(key);
        while (values[at] != null) {
            at = (at + 1) & (keys.length - 1);
        }
        keys[at] = key;
        values[at] = value;
    }

    private int slot(long key) {
        return (int) key & (keys.length - 1);
    }

    /** Returns the value of a key, or null. */
    @SuppressWarnings("unchecked")
    @Nullable
    V get(long key) {
        int at = slot(key);
        while (values[at] != null) {
            if (keys[at] == key) {
                return (V) values[at];
            }
            at = (at + 1) & (keys.length - 1);
        }
        return null;
    }
}
