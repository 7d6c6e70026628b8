package dev.touchstone.messaging.term;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map, which keeps its keys in the order in which they were given; equality does not depend on the order. A key is found in constant
 * time. Maps that are keys of maps, or part of one, may be nested {@link #MAX_KEY_NESTING} times; values to any depth.
 */
public final class ErlMap implements Term {
    /** Most maps that may be nested through keys: a map in a key of a map in a key of a map. Comparing maps recurses that deep. */
    public static final int MAX_KEY_NESTING = 8;

    /** The map without keys. */
    public static final ErlMap EMPTY = new ErlMap(new Term[0], null);

    private final Term[] entries; // key, value, key, value
    private final @Nullable Object index; // made by KeyIndex

    private ErlMap(Term[] entries, @Nullable Object index) {
        this.entries = entries;
        this.index = index;
    }

    /**
     * Returns a map of the entries of another one, in its order.
     *
     * @param map keys and values, none null; copied
     * @return the map
     * @throws IllegalArgumentException if two keys are equal, or maps in keys are nested too deep
     */
    public static ErlMap of(Map<? extends Term, ? extends Term> map) {
        Term[] entries = new Term[2 * map.size()];
        int at = 0;
        for (Map.Entry<? extends Term, ? extends Term> entry : map.entrySet()) {
            entries[at++] = entry.getKey();
            entries[at++] = entry.getValue();
        }
        return checked(entries);
    }

    /**
     * Returns a map of keys and values.
     *
     * @param keysAndValues a key, its value, another key, and so on; the array is copied
     * @return the map
     * @throws IllegalArgumentException if a key is there twice, or has no value, or maps in keys are nested too deep
     */
    public static ErlMap of(Term... keysAndValues) {
        return checked(keysAndValues.clone());
    }

    /**
     * Returns a map that shares the array. For data that is not trusted: keys that were chosen to have the same hash are refused.
     *
     * @param keysAndValues a key, its value, another key, and so on, none null; not copied, and must not change from now on
     * @return the map
     * @throws IllegalArgumentException if a key is there twice or has no value, keys collide too often, or maps in keys are nested too
     *     deep
     */
    public static ErlMap wrap(Term[] keysAndValues) {
        return make(keysAndValues, KeyIndex.probesAllowed(keysAndValues.length >> 1));
    }

    private static ErlMap checked(Term[] entries) {
        for (Term term : entries) {
            Objects.requireNonNull(term, "key or value");
        }
        return make(entries, Long.MAX_VALUE);
    }

    private static ErlMap make(Term[] entries, long probesAllowed) {
        if ((entries.length & 1) != 0) {
            throw new IllegalArgumentException("the last key has no value: terms=" + entries.length);
        }
        return entries.length == 0 ? EMPTY : new ErlMap(entries, KeyIndex.build(entries, probesAllowed));
    }

    /**
     * Returns the number of keys.
     *
     * @return 0 or more
     */
    public int size() {
        return entries.length >> 1;
    }

    /**
     * Returns the value of a key.
     *
     * @param key the key; compared with {@code equals}
     * @return the value, or null if there is no such key
     */
    public @Nullable Term get(Term key) {
        int found = find(key);
        return found < 0 ? null : valueAt(found);
    }

    /**
     * Returns one key.
     *
     * @param position counted from 0, in the order in which the keys were given
     * @return the key
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public Term keyAt(int position) {
        return entries[2 * position];
    }

    /**
     * Returns one value.
     *
     * @param position counted from 0, in the order in which the keys were given
     * @return the value
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public Term valueAt(int position) {
        return entries[2 * position + 1];
    }

    /**
     * Returns a view of the map.
     *
     * @return an unmodifiable map, in the order in which the keys were given
     */
    public Map<Term, Term> asMap() {
        return new View(this);
    }

    /** Returns the position of {@code key}, or -1 where the map has not this key. */
    int find(Term key) {
        return KeyIndex.find(entries, index, key);
    }

    /** Returns the term at {@code at} of key, value, key, value. */
    Term entryAt(int at) {
        return entries[at];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ErlMap map
                        && entries.length == map.entries.length
                        && TermComparator.equal(this, map));
    }

    @Override
    public int hashCode() {
        return TermHash.of(this);
    }

    @Override
    public String toString() {
        return Printer.print(this);
    }

    private static final class View extends AbstractMap<Term, Term> {
        private final ErlMap map;

        View(ErlMap map) {
            this.map = map;
        }

        @Override
        public @Nullable Term get(@Nullable Object key) {
            return key instanceof Term term ? map.get(term) : null;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return key instanceof Term term && map.find(term) >= 0;
        }

        @Override
        public Set<Map.Entry<Term, Term>> entrySet() {
            return new Entries(map);
        }
    }

    private static final class Entries extends AbstractSet<Map.Entry<Term, Term>> {
        private final ErlMap map;

        Entries(ErlMap map) {
            this.map = map;
        }

        @Override
        public int size() {
            return map.size();
        }

        @Override
        public Iterator<Map.Entry<Term, Term>> iterator() {
            return new Iterator<>() {
                private int at;

                @Override
                public boolean hasNext() {
                    return at < map.size();
                }

                @Override
                public Map.Entry<Term, Term> next() {
                    if (at >= map.size()) {
                        throw new NoSuchElementException();
                    }
                    return Map.entry(map.keyAt(at), map.valueAt(at++));
                }
            };
        }
    }
}
