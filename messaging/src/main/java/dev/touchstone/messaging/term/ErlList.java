package dev.touchstone.messaging.term;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A list, proper or not: terms, and a tail that is {@link #EMPTY} or no list. Integers are kept packed, one byte or eight bytes each,
 * and become terms when they are asked for; equality does not depend on that. An element is found in constant time.
 */
public final class ErlList implements Term {
    public static final ErlList EMPTY = new ErlList(new byte[0], null);

    private final Object store; // byte[] (unsigned), long[] or Term[]
    private final @Nullable Term tail; // null if proper

    private ErlList(Object store, @Nullable Term tail) {
        this.store = store;
        this.tail = tail;
    }

    /** A proper list of a copy of the array. */
    public static ErlList of(Term... elements) {
        return checkedAndPacked(elements.clone());
    }

    /** A proper list of what is in {@code elements} now. */
    public static ErlList of(List<? extends Term> elements) {
        return checkedAndPacked(elements.toArray(new Term[0]));
    }

    /**
     * {@code [element, ... | tail]}. Where the tail is a list its elements are appended, as in Erlang.
     *
     * @throws IllegalArgumentException if there is no element and the tail is no list
     */
    public static ErlList improper(List<? extends Term> elements, Term tail) {
        Objects.requireNonNull(tail, "tail");
        if (tail instanceof ErlList more) {
            Term[] all = Arrays.copyOf(elements.toArray(new Term[0]), Math.addExact(elements.size(), more.size()));
            for (int i = 0; i < more.size(); i++) {
                all[elements.size() + i] = more.get(i);
            }
            return more.tail == null ? checkedAndPacked(all) : new ErlList(requireNoNull(all), more.tail);
        }
        if (elements.isEmpty()) {
            throw new IllegalArgumentException("no element before a tail that is no list: tail=" + tail);
        }
        Term[] copy = elements.toArray(new Term[0]);
        return new ErlList(requireNoNull(copy), tail);
    }

    /** The text's code points. */
    public static ErlList string(String text) {
        int[] codes = text.codePoints().toArray();
        int bits = 0;
        for (int code : codes) {
            bits |= code;
        }
        if (bits <= 0xff) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            return ofBytes(bytes, 0, bytes.length);
        }
        return new ErlList(Arrays.stream(codes).asLongStream().toArray(), null);
    }

    /** A proper list of integers from 0 to 255: a copy of the bytes. */
    public static ErlList ofBytes(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return length == 0 ? EMPTY : new ErlList(Arrays.copyOfRange(source, offset, offset + length), null);
    }

    /** A proper list of integers. */
    public static ErlList ofLongs(long... values) {
        return wrapLongs(values.clone());
    }

    /** A proper list of the array itself, not of a copy: it must not change from now on. */
    public static ErlList wrapLongs(long[] values) {
        long bits = 0;
        for (long value : values) {
            bits |= value;
        }
        if ((bits & ~0xffL) != 0) {
            return new ErlList(values, null);
        }
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes.length == 0 ? EMPTY : new ErlList(bytes, null);
    }

    /**
     * A list of the array itself, not of a copy: it must have no nulls and must not change from now on.
     *
     * @param tail {@link #EMPTY} for a proper list; no other list
     */
    public static ErlList wrap(Term[] elements, Term tail) {
        boolean proper = tail instanceof ErlList;
        if (proper ? !tail.equals(EMPTY) : elements.length == 0) {
            throw new IllegalArgumentException("not a list's tail: elements=" + elements.length + " tail=" + tail);
        }
        return elements.length == 0 ? EMPTY : new ErlList(elements, proper ? null : tail);
    }

    private static Term[] requireNoNull(Term[] elements) {
        for (Term element : elements) {
            Objects.requireNonNull(element, "element");
        }
        return elements;
    }

    private static ErlList checkedAndPacked(Term[] elements) {
        requireNoNull(elements);
        for (Term element : elements) {
            if (!(element instanceof Int)) {
                return new ErlList(elements, null);
            }
        }
        long[] values = new long[elements.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = ((Int) elements[i]).value();
        }
        return wrapLongs(values);
    }

    /** Elements before the tail. */
    public int size() {
        if (store instanceof Term[] terms) {
            return terms.length;
        }
        return store instanceof byte[] bytes ? bytes.length : ((long[]) store).length;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /**
     * The element at {@code index}, counted from 0.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public Term get(int index) {
        if (store instanceof Term[] terms) {
            return terms[index];
        }
        return Int.of(longAt(index));
    }

    /** What follows the last element: {@link #EMPTY} in a proper list. */
    public Term tail() {
        return tail == null ? EMPTY : tail;
    }

    public boolean isProper() {
        return tail == null;
    }

    /** Whether the elements are integers from 0 to 255, kept in one byte each; so is the empty list. */
    public boolean isPackedBytes() {
        return store instanceof byte[];
    }

    /** Whether the elements are integers, kept packed: as bytes or as longs. */
    public boolean isPacked() {
        return !(store instanceof Term[]);
    }

    /**
     * The integer at {@code index} of a packed list.
     *
     * @throws ClassCastException if the list is not packed
     */
    public long longAt(int index) {
        return store instanceof byte[] bytes ? bytes[index] & 0xff : ((long[]) store)[index];
    }

    /**
     * Puts the elements of a list that {@link #isPackedBytes} into {@code target}.
     *
     * @throws ClassCastException if it is not
     */
    public void copyBytes(byte[] target, int at) {
        byte[] bytes = (byte[]) store;
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    /** A view of the elements, without the tail, that cannot be changed. */
    public List<Term> asList() {
        return new View(this);
    }

    /**
     * The text whose code points the elements are.
     *
     * @throws IllegalStateException if the list is improper, or an element is no code point
     */
    public String stringValue() {
        if (store instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        StringBuilder out = new StringBuilder(size());
        for (int i = 0; i < size(); i++) {
            Term element = get(i);
            long code = element instanceof Int number ? number.value() : -1;
            if (tail != null || code < 0 || code > Character.MAX_CODE_POINT) {
                throw new IllegalStateException("not a string: at=" + i + " proper=" + isProper());
            }
            out.appendCodePoint((int) code);
        }
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ErlList list && size() == list.size() && TermComparator.equal(this, list));
    }

    @Override
    public int hashCode() {
        return TermHash.of(this);
    }

    /** In quotes where it is text in ASCII. */
    @Override
    public String toString() {
        return Printer.print(this);
    }

    /** The text in quotes, or null where it is none. */
    @Nullable
    String quoted() {
        boolean text = store instanceof byte[] bytes && Quoted.isText(bytes, 0, bytes.length);
        return text ? Quoted.of(stringValue(), '"') : null;
    }

    /** Of two packed lists. */
    boolean equalsPacked(ErlList other) {
        if (store instanceof byte[] mine && other.store instanceof byte[] theirs) {
            return Arrays.equals(mine, theirs);
        }
        return store instanceof long[] mine && other.store instanceof long[] theirs && Arrays.equals(mine, theirs);
    }

    private static final class View extends AbstractList<Term> implements RandomAccess {
        private final ErlList list;

        View(ErlList list) {
            this.list = list;
        }

        @Override
        public Term get(int index) {
            return list.get(index);
        }

        @Override
        public int size() {
            return list.size();
        }
    }
}
