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
    /** The list without elements, which is also the tail of each proper list. */
    public static final ErlList EMPTY = new ErlList(new byte[0], null);

    private final Object store; // byte[] (unsigned), long[] or Term[]
    private final @Nullable Term tail; // null if proper

    private ErlList(Object store, @Nullable Term tail) {
        this.store = store;
        this.tail = tail;
    }

    /**
     * Returns a proper list.
     *
     * @param elements the elements; the array is copied
     * @return the list
     */
    public static ErlList of(Term... elements) {
        return checkedAndPacked(elements.clone());
    }

    /**
     * Returns a proper list.
     *
     * @param elements the elements; the list is copied
     * @return the list
     */
    public static ErlList of(List<? extends Term> elements) {
        return checkedAndPacked(elements.toArray(new Term[0]));
    }

    /**
     * Returns the list {@code [element, ... | tail]}. Where the tail is a list its elements are appended, as in Erlang.
     *
     * @param elements the elements before the tail; the list is copied
     * @param tail any term; a proper list makes the result proper
     * @return the list
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

    /**
     * Returns the list of a text's code points, as Erlang's strings are.
     *
     * @param text the text
     * @return a proper list of integers
     */
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

    /**
     * Returns a proper list of integers from 0 to 255.
     *
     * @param source array that holds the integers as unsigned bytes; copied
     * @param offset index of the first byte
     * @param length elements of the list
     * @return the list
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static ErlList ofBytes(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return length == 0 ? EMPTY : new ErlList(Arrays.copyOfRange(source, offset, offset + length), null);
    }

    /**
     * Returns a proper list of integers.
     *
     * @param values the integers; the array is copied
     * @return the list
     */
    public static ErlList ofLongs(long... values) {
        return wrapLongs(values.clone());
    }

    /**
     * Returns a proper list of integers that may share the array.
     *
     * @param values the integers; not copied, and must not change from now on
     * @return the list
     */
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
     * Returns a list that shares the array.
     *
     * @param elements the elements, none null; not copied, and must not change from now on
     * @param tail {@link #EMPTY} for a proper list; no other list
     * @return the list
     * @throws IllegalArgumentException if the tail is another list, or no list although there is no element
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

    /**
     * Returns the number of elements before the tail.
     *
     * @return 0 or more
     */
    public int size() {
        if (store instanceof Term[] terms) {
            return terms.length;
        }
        return store instanceof byte[] bytes ? bytes.length : ((long[]) store).length;
    }

    /**
     * Returns whether the list is {@link #EMPTY}.
     *
     * @return true if it has no element
     */
    public boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Returns one element, in constant time.
     *
     * @param index counted from 0
     * @return the element; made on demand where the list is packed
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public Term get(int index) {
        if (store instanceof Term[] terms) {
            return terms[index];
        }
        return Int.of(longAt(index));
    }

    /**
     * Returns the term after the last element.
     *
     * @return {@link #EMPTY} in a proper list, else a term that is no list
     */
    public Term tail() {
        return tail == null ? EMPTY : tail;
    }

    /**
     * Returns whether the list ends in the empty list.
     *
     * @return true if the {@link #tail} is {@link #EMPTY}
     */
    public boolean isProper() {
        return tail == null;
    }

    /**
     * Returns whether the elements are kept in one byte each, which only integers from 0 to 255 are.
     *
     * @return true if they are; always for the empty list
     */
    public boolean isPackedBytes() {
        return store instanceof byte[];
    }

    /**
     * Returns whether the elements are integers that are kept packed, as bytes or as longs.
     *
     * @return true if {@link #longAt} may be called
     */
    public boolean isPacked() {
        return !(store instanceof Term[]);
    }

    /**
     * Returns one integer of a packed list, without making a term.
     *
     * @param index counted from 0
     * @return the integer
     * @throws ClassCastException if the list is not {@linkplain #isPacked packed}
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long longAt(int index) {
        return store instanceof byte[] bytes ? bytes[index] & 0xff : ((long[]) store)[index];
    }

    /**
     * Copies the elements of a list of {@linkplain #isPackedBytes packed bytes} to an array.
     *
     * @param target array to copy to
     * @param at index for the first element
     * @throws IndexOutOfBoundsException if the target is too short
     * @throws ClassCastException if the elements are not kept as bytes
     */
    public void copyBytes(byte[] target, int at) {
        byte[] bytes = (byte[]) store;
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    /**
     * Returns a view of the elements, without the tail.
     *
     * @return an unmodifiable list with random access
     */
    public List<Term> asList() {
        return new View(this);
    }

    /**
     * Returns the text whose code points the elements are.
     *
     * @return the text; empty for the empty list
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

    /** Returns the list in Erlang's syntax, in quotes where it is printable ASCII. */
    @Override
    public String toString() {
        return Printer.print(this);
    }

    /** Returns the text in quotes, or null where the list is none. */
    @Nullable
    String quoted() {
        boolean text = store instanceof byte[] bytes && Quoted.isText(bytes, 0, bytes.length);
        return text ? Quoted.of(stringValue(), '"') : null;
    }

    /** Compares the elements of two packed lists. */
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
