package com.ericsson.otp.erlang;

import java.util.Arrays;

/** A tuple. */
public class OtpErlangTuple extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    private final OtpErlangObject[] elements;

    /**
     * Creates a tuple of one element.
     *
     * @param element the element, not null
     */
    public OtpErlangTuple(OtpErlangObject element) {
        if (element == null) {
            throw new IllegalArgumentException("Tuple element cannot be null");
        }
        elements = new OtpErlangObject[] {element};
    }

    /**
     * Creates a tuple.
     *
     * @param elements the elements, none of which is null
     */
    public OtpErlangTuple(OtpErlangObject[] elements) {
        this(elements, 0, elements.length);
    }

    /**
     * Creates a tuple of a part of an array.
     *
     * @param elements an array with the elements, none of which is null
     * @param start the index of the first
     * @param count the number of elements
     * @throws IllegalArgumentException if the array or an element is null
     */
    public OtpErlangTuple(OtpErlangObject[] elements, int start, int count) {
        if (elements == null) {
            throw new IllegalArgumentException("Tuple content can't be null");
        }
        this.elements = count < 1 ? new OtpErlangObject[0] : copyOf(elements, start, count);
        for (int i = 0; i < this.elements.length; i++) {
            if (this.elements[i] == null) {
                throw new IllegalArgumentException("Tuple element cannot be null (element" + (start + i) + ")");
            }
        }
    }

    /**
     * Reads a tuple.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no tuple is next
     */
    public OtpErlangTuple(OtpInputStream in) throws OtpErlangDecodeException {
        elements = TermDecoder.elements(in, in.read_tuple_head());
    }

    static OtpErlangObject[] copyOf(OtpErlangObject[] from, int start, int count) {
        if (start < 0 || count > from.length - start) {
            throw new ArrayIndexOutOfBoundsException(
                    "no such part: start=" + start + " count=" + count + " length=" + from.length);
        }
        return Arrays.copyOfRange(from, start, start + count);
    }

    /**
     * Returns the number of elements.
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
        return index < 0 || index >= elements.length ? null : elements[index];
    }

    /**
     * Returns the elements in a new array.
     *
     * @return the elements
     */
    public OtpErlangObject[] elements() {
        return elements.clone();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < elements.length; i++) {
            text.append(i == 0 ? "" : ",").append(elements[i]);
        }
        return text.append('}').toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_tuple_head(elements.length);
        for (OtpErlangObject element : elements) {
            out.write_any(element);
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof OtpErlangTuple that && Arrays.equals(elements, that.elements));
    }

    @Override
    public <T> boolean match(OtpErlangObject term, T binds) {
        if (!(term instanceof OtpErlangTuple that) || elements.length != that.elements.length) {
            return false;
        }
        for (int i = 0; i < elements.length; i++) {
            if (!elements[i].match(that.elements[i], binds)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public <T> OtpErlangObject bind(T binds) throws OtpErlangException {
        OtpErlangObject[] bound = elements.clone();
        for (int i = 0; i < bound.length; i++) {
            bound[i] = bound[i].bind(binds);
        }
        return new OtpErlangTuple(bound);
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(9);
        hash.combine(elements.length);
        for (OtpErlangObject element : elements) {
            hash.combine(element.hashCode());
        }
        return hash.valueOf();
    }

    @Override
    public Object clone() {
        return super.clone();
    }
}
