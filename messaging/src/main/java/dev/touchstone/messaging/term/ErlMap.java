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
 * Keys and a value for each, in the order in which they were given; equality does not depend on the order. A key is found in constant
 * time. Maps that are keys of maps, or part of one, may be nested {@link #MAX_KEY_NESTING} times; values to any depth.
 */
public final class ErlMap implements Term {
    /** How often a map may be (in) a key of a map that is itself (in) a key. Comparing maps recurses that often. */
    public static final int MAX_KEY_NESTING = 8;

    public static final ErlMap EMPTY = new ErlMap(new Term[0], null);

    private final Term[] entries; // key, value, key, value
    private final @Nullable Object index; // of KeyIndex

    private ErlMap(Term[] entries, @Nullable Object index) {
        this.entries = entries;
        this.index = index;
    }

    /** A map of what is in {@code map} now, in its order. */
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
     * A map of a copy of the array: a key, its value, another key, and so on.
     *
     * @throws IllegalArgumentException if a key is there twice, or has no value, or maps in keys are nested too deep
     */
    public static ErlMap of(Term... keysAndValues) {
        return checked(keysAndValues.clone());
    }

    /**
     * As {@link #of(Term...)} of the array itself, not of a copy: it must have no nulls and must not change from now on. For data that
     * is not trusted: keys that were chosen to have the same hash are refused.
     *
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

    public int size() {
        return entries.length >> 1;
    }

    /** The value of {@code key}, or null if there is no such key. */
    public @Nullable Term get(Term key) {
        int found = find(key);
        return found < 0 ? null : valueAt(found);
    }

    /** The key at {@code position}, counted from 0 in the order in which they were given. */
    public Term keyAt(int position) {
        return entries[2 * position];
    }

    /** The value at {@code position}, counted from 0 in the order in which they were given. */
    public Term valueAt(int position) {
        return entries[2 * position + 1];
    }

    /** A view in the order in which the keys were given, that cannot be changed. */
    public Map<Term, Term> asMap() {
        return new View(this);
    }

    /** The position of {@code key}, or -1. */
    int find(Term key) {
        return KeyIndex.find(entries, index, key);
    }

    /** The term at {@code at} of key, value, key, value. */
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
