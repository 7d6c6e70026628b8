package dev.touchstone.messaging.term;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An integer that does not fit a {@code long}. Kept as it stands on the wire; arithmetic is done on its {@link #value}. */
public final class BigInt implements Term {
    /** Beyond, decimal digits would take too long to find. */
    private static final int MAX_DECIMAL_BYTES = 1024;

    private final byte[] encoded; // Encoded: a header, and the magnitude, of which the last byte is not 0

    private BigInt(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * The integer of that value.
     *
     * @throws IllegalArgumentException if the value fits a {@code long}: see {@link Int#of(BigInteger)} */
    public static BigInt of(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            throw new IllegalArgumentException("value fits a long, for which Int is: value=" + value);
        }
        byte[] bytes = value.abs().toByteArray();
        reverse(bytes);
        return new BigInt(Encoded.big(value.signum() < 0, bytes, 0, significant(bytes, 0, bytes.length)));
    }

    /** An {@link Int} or a {@link BigInt} of a sign and a magnitude, lowest byte first, which is copied. Takes any bytes. */
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

    public BigInteger value() {
        byte[] bytes = Arrays.copyOfRange(encoded, Encoded.bigHeader(encoded), encoded.length);
        reverse(bytes);
        return new BigInteger(isNegative() ? -1 : 1, bytes);
    }

    public boolean isNegative() {
        return encoded[Encoded.bigHeader(encoded) - 1] != 0;
    }

    /** Bytes of the magnitude: 8 or more. */
    public int magnitudeLength() {
        return encoded.length - Encoded.bigHeader(encoded);
    }

    /** Bytes of the integer in the external term format. */
    public int encodedLength() {
        return encoded.length;
    }

    /** Puts the {@link #encodedLength} bytes of the integer in the external term format into {@code target}. */
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

    /** In decimal; a very large one to the base of 16. */
    @Override
    public String toString() {
        if (encoded.length <= MAX_DECIMAL_BYTES) {
            return value().toString();
        }
        return (isNegative() ? "-16#" : "16#") + value().abs().toString(16);
    }
}
