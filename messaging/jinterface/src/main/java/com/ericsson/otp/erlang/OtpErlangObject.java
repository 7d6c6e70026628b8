package com.ericsson.otp.erlang;

import java.io.Serializable;

/**
 * A term of Erlang. Programs may add kinds of their own, as placeholders for {@link #match} and {@link #bind}.
 *
 * <p>The serialized form of Java is not that of other implementations of this package.
 */
public abstract class OtpErlangObject implements Serializable, Cloneable {
    private static final long serialVersionUID = 1;

    /** The hash code once it was computed; 0 before. */
    protected int hashCodeValue;

    /** Creates a term. */
    public OtpErlangObject() {}

    /**
     * Returns the term as Erlang prints it.
     *
     * @return the text
     */
    @Override
    public abstract String toString();

    /**
     * Writes the term in the external term format, without a version byte.
     *
     * @param out the stream that is written to
     */
    public abstract void encode(OtpOutputStream out);

    /**
     * Reads the next term of a stream.
     *
     * @param in the stream that is read from
     * @return the term
     * @throws OtpErlangDecodeException if the bytes are no term
     */
    public static OtpErlangObject decode(OtpInputStream in) throws OtpErlangDecodeException {
        return in.read_any();
    }

    @Override
    public abstract boolean equals(Object other);

    /**
     * Returns whether a term matches this pattern. A term that is no placeholder matches its equals.
     *
     * @param <T> the type of the bindings
     * @param term the term that is looked at
     * @param binds takes what placeholders match
     * @return whether the term matches
     */
    public <T> boolean match(OtpErlangObject term, T binds) {
        return equals(term);
    }

    /**
     * Returns this pattern with the placeholders replaced.
     *
     * @param <T> the type of the bindings
     * @param binds the values of the placeholders
     * @return the term; this one where nothing was replaced
     * @throws OtpErlangException if a placeholder has no value
     */
    public <T> OtpErlangObject bind(T binds) throws OtpErlangException {
        return this;
    }

    @Override
    public int hashCode() {
        if (hashCodeValue == 0) {
            hashCodeValue = doHashCode();
        }
        return hashCodeValue;
    }

    /**
     * Computes the hash code, once for each object.
     *
     * @return the hash code
     */
    protected int doHashCode() {
        return super.hashCode();
    }

    @Override
    public Object clone() {
        try {
            return super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** A sum that a hash code is computed with. */
    protected static final class Hash {
        private static final int FACTOR = 0x9e3779b1;

        private int sum;

        /**
         * Begins a sum.
         *
         * @param seed a number that tells the kinds of terms apart
         */
        protected Hash(int seed) {
            sum = seed * FACTOR;
        }

        /**
         * Adds a number.
         *
         * @param value the number
         */
        protected void combine(int value) {
            sum = Integer.rotateLeft(sum ^ value * FACTOR, 13) * 5 + 0x52dce729;
        }

        /**
         * Adds a number.
         *
         * @param value the number
         */
        protected void combine(long value) {
            combine((int) value);
            combine((int) (value >>> Integer.SIZE));
        }

        /**
         * Adds two numbers in their order.
         *
         * @param first the first number
         * @param second the second number
         */
        protected void combine(int first, int second) {
            combine(first);
            combine(second);
        }

        /**
         * Adds bytes in their order.
         *
         * @param bytes the bytes
         */
        protected void combine(byte[] bytes) {
            combine(java.util.Arrays.hashCode(bytes));
        }

        /**
         * Returns the sum.
         *
         * @return the hash code of all that was added
         */
        protected int valueOf() {
            int mixed = (sum ^ sum >>> 16) * FACTOR;
            return mixed ^ mixed >>> 13;
        }
    }
}
