package com.ericsson.otp.erlang;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** A list, proper or improper. A list of characters that Erlang sends arrives as {@link OtpErlangString}. */
public class OtpErlangList extends OtpErlangObject implements Iterable<OtpErlangObject> {
    private static final long serialVersionUID = 1;
    private static final OtpErlangObject[] NO_ELEMENTS = {};

    private final OtpErlangObject[] elements;
    private final OtpErlangObject lastTail; // null where the list is proper

    /** Creates the empty list. */
    public OtpErlangList() {
        this(NO_ELEMENTS, null, true);
    }

    /**
     * Creates a list of code points.
     *
     * @param text the text, or null for the empty list
     */
    public OtpErlangList(String text) {
        this(text == null ? NO_ELEMENTS : codePoints(text), null, true);
    }

    /**
     * Creates a list of one element.
     *
     * @param element the element
     */
    public OtpErlangList(OtpErlangObject element) {
        this(new OtpErlangObject[] {element}, null, true);
    }

    /**
     * Creates a list.
     *
     * @param elements the elements
     */
    public OtpErlangList(OtpErlangObject[] elements) {
        this(elements.clone(), null, true);
    }

    /**
     * Creates a list that ends in a tail.
     *
     * @param elements the elements
     * @param lastTail the tail behind the last of them; null for a proper list
     * @throws OtpErlangException if there is a tail and no element
     */
    public OtpErlangList(OtpErlangObject[] elements, OtpErlangObject lastTail) throws OtpErlangException {
        this(elements.clone(), checkedTail(elements, lastTail), true);
    }

    /**
     * Creates a list of a part of an array.
     *
     * @param elements an array with the elements
     * @param start the index of the first
     * @param count the number of elements
     */
    public OtpErlangList(OtpErlangObject[] elements, int start, int count) {
        this(count < 1 ? NO_ELEMENTS : OtpErlangTuple.copyOf(elements, start, count), null, true);
    }

    /**
     * Reads a list.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no list is next
     */
    public OtpErlangList(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.peek1skip_version();
        int count = in.read_list_head();
        boolean areBytes = tag == OtpExternal.stringTag;
        elements = count == 0 ? NO_ELEMENTS : TermDecoder.listElements(in, count, areBytes);
        lastTail = tag == OtpExternal.listTag ? TermDecoder.tail(in) : null;
    }

    private OtpErlangList(OtpErlangObject[] elements, OtpErlangObject lastTail, boolean owned) {
        this.elements = owned ? elements : elements.clone();
        this.lastTail = lastTail;
    }

    private static OtpErlangObject checkedTail(OtpErlangObject[] elements, OtpErlangObject lastTail)
            throws OtpErlangException {
        if (elements.length == 0 && lastTail != null) {
            throw new OtpErlangException("Bad list, empty head, non-empty tail");
        }
        return lastTail;
    }

    private static OtpErlangObject[] codePoints(String text) {
        return text.codePoints().mapToObj(OtpErlangInt::new).toArray(OtpErlangObject[]::new);
    }

    /**
     * Returns the number of elements; a tail is not counted.
     *
     * @return the number of elements
     */
    public int arity() {
        return elements.length;
    }

    /**
     * Returns an element.
     *
     * @param index its index, from 0
     * @return the element, or null where there is none
     */
    public OtpErlangObject elementAt(int index) {
        return index < 0 || index >= arity() ? null : elements[index];
    }

    /**
     * Returns the elements in a new array, without a tail.
     *
     * @return the elements
     */
    public OtpErlangObject[] elements() {
        return elements.clone();
    }

    @Override
    public String toString() {
        return toString(0);
    }

    /**
     * Returns the text of the list from an element on.
     *
     * @param start the index of the first element that is printed
     * @return the text, as Erlang prints a list
     */
    protected String toString(int start) {
        StringBuilder text = new StringBuilder("[");
        for (int i = start; i < elements.length; i++) {
            text.append(i == start ? "" : ",").append(elements[i].toString());
        }
        if (lastTail != null) {
            text.append('|').append(lastTail);
        }
        return text.append(']').toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        encode(out, 0);
    }

    /**
     * Writes the list from an element on.
     *
     * @param out the stream that is written to
     * @param start the index of the first element that is written
     */
    protected void encode(OtpOutputStream out, int start) {
        int count = elements.length - start;
        if (count > 0) {
            out.write_list_head(count);
            for (int i = start; i < elements.length; i++) {
                out.write_any(elements[i]);
            }
        }
        if (lastTail == null) {
            out.write_nil();
        } else {
            out.write_any(lastTail);
        }
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof OtpErlangList that) || arity() != that.arity()) {
            return false;
        }
        for (int i = 0; i < arity(); i++) {
            if (!elementAt(i).equals(that.elementAt(i))) {
                return false;
            }
        }
        OtpErlangObject tail = getLastTail();
        return tail == null ? that.getLastTail() == null : tail.equals(that.getLastTail());
    }

    /**
     * Returns whether a list matches this pattern. A placeholder in the place of the tail matches what follows the elements.
     *
     * @param <T> the type of the bindings
     * @param term the term that is looked at
     * @param binds takes what placeholders match
     * @return whether the term matches
     */
    @Override
    public <T> boolean match(OtpErlangObject term, T binds) {
        if (!(term instanceof OtpErlangList that) || that.arity() < arity()) {
            return false;
        }
        for (int i = 0; i < arity(); i++) {
            if (!elementAt(i).match(that.elementAt(i), binds)) {
                return false;
            }
        }
        OtpErlangObject rest = that.getNthTail(arity());
        OtpErlangObject tail = getLastTail();
        if (tail != null) {
            return tail.match(rest, binds);
        }
        return that.arity() == arity() && that.getLastTail() == null;
    }

    @Override
    public <T> OtpErlangObject bind(T binds) throws OtpErlangException {
        OtpErlangObject[] bound = elements();
        for (int i = 0; i < bound.length; i++) {
            bound[i] = bound[i].bind(binds);
        }
        OtpErlangObject tail = getLastTail();
        return new OtpErlangList(bound, tail == null ? null : tail.bind(binds), true);
    }

    /**
     * Returns the tail behind the last element.
     *
     * @return the tail, or null where the list is proper
     */
    public OtpErlangObject getLastTail() {
        return lastTail;
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(4);
        for (int i = 0; i < arity(); i++) {
            hash.combine(elementAt(i).hashCode());
        }
        OtpErlangObject tail = getLastTail();
        hash.combine(arity(), tail == null ? 0 : tail.hashCode());
        return hash.valueOf();
    }

    @Override
    public Object clone() {
        return super.clone();
    }

    @Override
    public Iterator<OtpErlangObject> iterator() {
        return iterator(0);
    }

    private Iterator<OtpErlangObject> iterator(int start) {
        return new Iterator<>() {
            private int next = start;

            @Override
            public boolean hasNext() {
                return next < elements.length;
            }

            @Override
            public OtpErlangObject next() {
                if (next >= elements.length) {
                    throw new NoSuchElementException("no more elements: arity=" + elements.length);
                }
                return elements[next++];
            }

            @Override
            public void remove() {
                throw new UnsupportedOperationException("an iterator of a list removes nothing: lists are immutable");
            }
        };
    }

    /**
     * Returns whether the list ends with the empty list.
     *
     * @return whether there is no other tail
     */
    public boolean isProper() {
        return lastTail == null;
    }

    /**
     * Returns the first element.
     *
     * @return the element, or null where the list is empty
     */
    public OtpErlangObject getHead() {
        return arity() > 0 ? elementAt(0) : null;
    }

    /**
     * Returns what follows the first element.
     *
     * @return a list, or the last tail; null where this list is empty
     */
    public OtpErlangObject getTail() {
        return getNthTail(1);
    }

    /**
     * Returns what follows a number of elements.
     *
     * @param n the number of elements
     * @return a list, or the last tail; null where there are fewer elements
     */
    public OtpErlangObject getNthTail(int n) {
        if (n < 0) {
            throw new ArrayIndexOutOfBoundsException("number of elements: expected 0 or more, got " + n);
        }
        if (n == 0) {
            return this;
        }
        if (n > elements.length) {
            return null;
        }
        return n == elements.length && lastTail != null ? lastTail : new SubList(this, n);
    }

    /**
     * Returns the text whose code points the elements are.
     *
     * @return the text
     * @throws OtpErlangException if the list is improper, or has other elements; an {@link OtpErlangRangeException} where an int cannot
     *     hold an integer
     * @throws IllegalArgumentException if an element is an int, but no code point
     */
    public String stringValue() throws OtpErlangException {
        if (!isProper()) {
            throw new OtpErlangException("Non-proper list: " + this);
        }
        int[] codePoints = new int[arity()];
        for (int i = 0; i < codePoints.length; i++) {
            if (!(elementAt(i) instanceof OtpErlangLong code)) {
                throw new OtpErlangException("Non-integer term: " + elementAt(i));
            }
            codePoints[i] = code.intValue();
        }
        return new String(codePoints, 0, codePoints.length); // refuses code points only after all elements were checked
    }

    /** A list that is the end of another, with which it shares the elements. */
    public static class SubList extends OtpErlangList {
        private static final long serialVersionUID = 1;

        private final OtpErlangList parent;
        private final int start;

        private SubList(OtpErlangList parent, int start) {
            super(NO_ELEMENTS, null, true);
            this.parent = parent;
            this.start = start;
        }

        @Override
        public int arity() {
            return parent.elements.length - start;
        }

        @Override
        public OtpErlangObject elementAt(int index) {
            return index < 0 ? null : parent.elementAt(index + start);
        }

        @Override
        public OtpErlangObject[] elements() {
            return java.util.Arrays.copyOfRange(parent.elements, start, parent.elements.length);
        }

        @Override
        public boolean isProper() {
            return parent.isProper();
        }

        @Override
        public OtpErlangObject getHead() {
            return parent.elementAt(start);
        }

        @Override
        public OtpErlangObject getNthTail(int n) {
            return n == 0 ? this : parent.getNthTail(n + start);
        }

        @Override
        public String toString() {
            return parent.toString(start);
        }

        @Override
        public void encode(OtpOutputStream out) {
            parent.encode(out, start);
        }

        @Override
        public OtpErlangObject getLastTail() {
            return parent.getLastTail();
        }

        @Override
        public Iterator<OtpErlangObject> iterator() {
            return parent.iterator(start);
        }
    }
}
