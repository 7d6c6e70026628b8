package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bits whose number is no multiple of eight: bytes, of the last of which only the highest 1 to 7 bits count. The others are 0. */
public final class BitString implements Term {
    private final byte[] bytes;
    private final int lastBits;

    private BitString(byte[] bytes, int lastBits) {
        this.bytes = bytes;
        this.lastBits = lastBits;
    }

    /**
     * A copy of the bytes.
     *
     * @param lastBits how many bits of the last byte count, from the highest down: 1 to 7
     * @throws IllegalArgumentException for other {@code lastBits}, or no byte
     */
    public static BitString of(byte[] bytes, int lastBits) {
        return of(bytes, 0, bytes.length, lastBits);
    }

    /** As {@link #of(byte[], int)}, of some of the bytes. */
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

    /** Bytes, the last of which is not full. */
    public int byteLength() {
        return bytes.length;
    }

    /** How many bits of the last byte count: 1 to 7. */
    public int lastBits() {
        return lastBits;
    }

    public long bitLength() {
        return 8L * (bytes.length - 1) + lastBits;
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** Puts all {@link #byteLength} bytes into {@code target}. */
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
