package dev.touchstone.messaging.term;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An integer that does not fit a {@code long}. Kept as it stands on the wire; arithmetic is done on its {@link #value}. */
public final class BigInt implements Term {
    /** Longest encoding that is printed in decimal, which takes quadratic time. */
    private static final int MAX_DECIMAL_BYTES = 1024;

    private final byte[] encoded; // Encoded: a header, and the magnitude, of which the last byte is not 0

    private BigInt(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * Returns the integer of a value that does not fit a {@code long}.
     *
     * @param value the value
     * @return the integer
     * @throws IllegalArgumentException if the value fits a {@code long}: see {@link Int#of(BigInteger)}
     */
    public static BigInt of(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            throw new IllegalArgumentException("value fits a long, for which Int is: value=" + value);
        }
        byte[] bytes = value.abs().toByteArray();
        reverse(bytes);
        return new BigInt(Encoded.big(value.signum() < 0, bytes, 0, significant(bytes, 0, bytes.length)));
    }

    /**
     * Returns the integer of a sign and a magnitude. Any bytes are taken: leading zeros are dropped, and minus 0 is 0.
     *
     * @param negative whether the integer is below 0
     * @param source array that holds the magnitude, lowest byte first; copied
     * @param offset index of the lowest byte
     * @param length bytes of the magnitude; 0 or more
     * @return an {@link Int} where the value fits a {@code long}, else a {@link BigInt}
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static Term ofLittleEndian(boolean negative, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        int bytes = significant(source, offset, length);
        if (bytes <= Long.BYTES) {
            long value = 0;
            for (int i = bytes - 1; i >= 0; i--) {
                value = (value << 8) | (source[offset + i] & 0xff);
            }
            if (value >= 0 || (negative && value == Long.MIN_VALUE)) {
                return Int.of(negative ? -value : value);
            }
        }
        return new BigInt(Encoded.big(negative, source, offset, bytes));
    }

    private static int significant(byte[] bytes, int offset, int length) {
        int count = length;
        while (count > 0 && bytes[offset + count - 1] == 0) {
            count--;
        }
        return count;
    }

    private static void reverse(byte[] bytes) {
        for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
            byte swapped = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = swapped;
        }
    }

    /**
     * Computes the value from the bytes that are kept, anew at each call.
     *
     * @return the value, which does not fit a {@code long}
     */
    public BigInteger value() {
        byte[] bytes = Arrays.copyOfRange(encoded, Encoded.bigHeader(encoded), encoded.length);
        reverse(bytes);
        return new BigInteger(isNegative() ? -1 : 1, bytes);
    }

    /**
     * Returns whether the integer is below 0, without computing its value.
     *
     * @return true if it is
     */
    public boolean isNegative() {
        return encoded[Encoded.bigHeader(encoded) - 1] != 0;
    }

    /**
     * Returns the length of the magnitude.
     *
     * @return bytes, 8 or more
     */
    public int magnitudeLength() {
        return encoded.length - Encoded.bigHeader(encoded);
    }

    /**
     * Returns the length of the integer in the external term format, without a version byte.
     *
     * @return bytes, 11 or more
     */
    public int encodedLength() {
        return encoded.length;
    }

    /**
     * Copies the {@link #encodedLength} bytes of the integer in the external term format to an array.
     *
     * @param target array to copy to
     * @param at index for the first byte
     * @throws IndexOutOfBoundsException if the target is too short
     */
    public void copyEncoded(byte[] target, int at) {
        System.arraycopy(encoded, 0, target, at, encoded.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BigInt number && Arrays.equals(encoded, number.encoded);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(encoded, 0, encoded.length);
    }

    /** Returns the integer in decimal, or with base 16 where it has more than about 1,000 bytes. */
    @Override
    public String toString() {
        if (encoded.length <= MAX_DECIMAL_BYTES) {
            return value().toString();
        }
        return (isNegative() ? "-16#" : "16#") + value().abs().toString(16);
    }
}
