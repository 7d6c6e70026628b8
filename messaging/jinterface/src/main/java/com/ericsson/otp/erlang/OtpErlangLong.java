package com.ericsson.otp.erlang;

import java.math.BigInteger;

/** An integer of any size. */
public class OtpErlangLong extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    private final long small;
    private final BigInteger big; // null where `small` is the value

    /**
     * Creates an integer.
     *
     * @param value its value
     */
    public OtpErlangLong(long value) {
        small = value;
        big = null;
    }

    /**
     * Creates an integer.
     *
     * @param value its value, not null
     */
    public OtpErlangLong(BigInteger value) {
        boolean fits = value.bitLength() < Long.SIZE;
        small = value.longValue();
        big = fits ? null : value;
    }

    /**
     * Reads an integer.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no integer is next
     */
    public OtpErlangLong(OtpInputStream in) throws OtpErlangDecodeException {
        byte[] bytes = in.read_integer_byte_array();
        big = bytes.length > Long.BYTES ? shortened(new BigInteger(bytes)) : null;
        small = bytes.length > Long.BYTES
                ? new BigInteger(bytes).longValue()
                : OtpInputStream.byte_array_to_long(bytes, false);
    }

    private static BigInteger shortened(BigInteger value) {
        return value.bitLength() < Long.SIZE ? null : value;
    }

    /**
     * Returns the value.
     *
     * @return the value
     */
    public BigInteger bigIntegerValue() {
        return big == null ? BigInteger.valueOf(small) : big;
    }

    /**
     * Returns the lowest 64 bits of the value.
     *
     * @return the value, where {@link #isLong} is true
     */
    public long longValue() {
        return small;
    }

    /**
     * Returns whether a long can hold the value.
     *
     * @return whether it fits
     */
    public boolean isLong() {
        return big == null;
    }

    /**
     * Returns whether an unsigned long can hold the value.
     *
     * @return whether it is from 0 to 2<sup>64</sup>-1
     */
    public boolean isULong() {
        return signum() >= 0 && bitLength() <= Long.SIZE;
    }

    /**
     * Returns the bits of the value in two's complement, without the sign.
     *
     * @return the number of bits
     */
    public int bitLength() {
        return big == null ? Long.SIZE - Long.numberOfLeadingZeros(small < 0 ? ~small : small) : big.bitLength();
    }

    /**
     * Returns the sign of the value.
     *
     * @return -1, 0 or 1
     */
    public int signum() {
        return big == null ? Long.signum(small) : big.signum();
    }

    /**
     * Returns the value as an int. Values beyond a long are refused as well; other implementations of this package cut them off.
     *
     * @return the value
     * @throws OtpErlangRangeException if an int cannot hold it
     */
    public int intValue() throws OtpErlangRangeException {
        return (int) within(Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
    }

    /**
     * Returns the value as an int that is not negative.
     *
     * @return the value
     * @throws OtpErlangRangeException if it is negative or an int cannot hold it
     */
    public int uIntValue() throws OtpErlangRangeException {
        int value = intValue();
        checkPositive();
        return value;
    }

    /**
     * Returns the value as a short.
     *
     * @return the value
     * @throws OtpErlangRangeException if a short cannot hold it
     */
    public short shortValue() throws OtpErlangRangeException {
        return (short) within(Short.MIN_VALUE, Short.MAX_VALUE, "short");
    }

    /**
     * Returns the value as a short that is not negative.
     *
     * @return the value
     * @throws OtpErlangRangeException if it is negative or a short cannot hold it
     */
    public short uShortValue() throws OtpErlangRangeException {
        short value = shortValue();
        checkPositive();
        return value;
    }

    /**
     * Returns the value as a char.
     *
     * @return the value
     * @throws OtpErlangRangeException if a char cannot hold it
     */
    public char charValue() throws OtpErlangRangeException {
        return (char) within(Character.MIN_VALUE, Character.MAX_VALUE, "char");
    }

    /**
     * Returns the value as a byte.
     *
     * @return the value
     * @throws OtpErlangRangeException if a byte cannot hold it
     */
    public byte byteValue() throws OtpErlangRangeException {
        return (byte) within(Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
    }

    private long within(long min, long max, String type) throws OtpErlangRangeException {
        if (big != null || small < min || small > max) {
            throw new OtpErlangRangeException("Value too large for " + type + ": " + this);
        }
        return small;
    }

    private void checkPositive() throws OtpErlangRangeException {
        if (signum() < 0) {
            throw new OtpErlangRangeException("Value not positive: " + this);
        }
    }

    @Override
    public String toString() {
        return big == null ? Long.toString(small) : big.toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        if (big == null) {
            out.write_long(small);
        } else {
            out.write_big_integer(big);
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangLong that
                        && small == that.small
                        && (big == null ? that.big == null : big.equals(that.big)));
    }

    @Override
    protected int doHashCode() {
        return big == null ? Long.hashCode(small) : big.hashCode();
    }
}
