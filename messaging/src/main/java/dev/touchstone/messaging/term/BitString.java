package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of bits whose number is no multiple of eight. Kept as bytes, of the last of which only the highest 1 to 7 bits count and
 * the others are 0.
 */
public final class BitString implements Term {
    private final byte[] bytes;
    private final int lastBits;

    private BitString(byte[] bytes, int lastBits) {
        this.bytes = bytes;
        this.lastBits = lastBits;
    }

    /**
     * Returns a bit string of a copy of an array.
     *
     * @param bytes the bytes, 1 at least; copied, and the bits that do not count are cleared
     * @param lastBits bits of the last byte that count, from the highest down: 1 to 7
     * @return the bit string
     * @throws IllegalArgumentException for other {@code lastBits}, or no byte
     */
    public static BitString of(byte[] bytes, int lastBits) {
        return of(bytes, 0, bytes.length, lastBits);
    }

    /**
     * Returns a bit string of a copy of a part of an array.
     *
     * @param source array that holds the bytes; copied, and the bits that do not count are cleared
     * @param offset index of the first byte
     * @param length bytes to copy, 1 at least
     * @param lastBits bits of the last byte that count, from the highest down: 1 to 7
     * @return the bit string
     * @throws IllegalArgumentException for other {@code lastBits}, or no byte
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static BitString of(byte[] source, int offset, int length, int lastBits) {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (lastBits < 1 || lastBits > 7 || length == 0) {
            throw new IllegalArgumentException("not a bit string: bytes=" + length + " lastBits=" + lastBits
                    + "; expected bytes>=1 lastBits=1..7");
        }
        byte[] bytes = Arrays.copyOfRange(source, offset, offset + length);
        bytes[length - 1] &= (byte) (0xff00 >> lastBits);
        return new BitString(bytes, lastBits);
    }

    /**
     * Returns the number of bytes, the last of which is not full.
     *
     * @return 1 or more
     */
    public int byteLength() {
        return bytes.length;
    }

    /**
     * Returns how many bits of the last byte count, from the highest down.
     *
     * @return 1 to 7
     */
    public int lastBits() {
        return lastBits;
    }

    /**
     * Returns the number of bits.
     *
     * @return 1 or more, never a multiple of 8
     */
    public long bitLength() {
        return 8L * (bytes.length - 1) + lastBits;
    }

    /**
     * Returns the bytes; bits of the last one that do not count are 0.
     *
     * @return a copy, which the caller may change
     */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /**
     * Copies all {@link #byteLength} bytes to an array.
     *
     * @param target array to copy to
     * @param at index for the first byte
     * @throws IndexOutOfBoundsException if the target is too short
     */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BitString bits && lastBits == bits.lastBits && Arrays.equals(bytes, bits.bytes);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(bytes, 0, bytes.length) + lastBits;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("<<");
        for (int i = 0; i < bytes.length - 1; i++) {
            out.append(bytes[i] & 0xff).append(',');
        }
        int last = (bytes[bytes.length - 1] & 0xff) >> (8 - lastBits);
        return out.append(last).append(':').append(lastBits).append(">>").toString();
    }
}
