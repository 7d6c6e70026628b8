package dev.touchstone.serialization;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable table of values by class. */
final class ClassTable<V> {
    private final @Nullable Class<?>[] keys;
    private final @Nullable Object[] values;

    ClassTable(Map<Class<?>, ? extends V> entries) {
        int size = Integer.highestOneBit(entries.size() + 1) << 2;
        keys = new Class<?>[size];
        values = new @Nullable Object[size];
        entries.forEach((key, value) -> {
            int at = slot(key);
            keys[at] = key;
            values[at] = value;
        });
    }

    /** Returns the index of a class, or of the free slot that it would take. */
    private int slot(Class<?> key) {
        int at = key.hashCode() & (keys.length - 1);
        while (keys[at] != null && !key.equals(keys[at])) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    /** Returns the value of a class, or null. */
    @SuppressWarnings("unchecked")
    @Nullable
    V get(Class<?> key) {
        return (V) values[slot(key)];
    }
}
