package dev.touchstone.messaging.term;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes. May be a slice of a larger array, which it then keeps from being collected. */
public final class Binary implements Term {
    public static final Binary EMPTY = new Binary(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Binary(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** A copy of the bytes. */
    public static Binary of(byte[] bytes) {
        return new Binary(bytes.clone(), 0, bytes.length);
    }

    /** A copy of some of the bytes. */
    public static Binary of(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return new Binary(Arrays.copyOfRange(source, offset, offset + length), 0, length);
    }

    /** The text in UTF-8. */
    public static Binary of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Binary(bytes, 0, bytes.length);
    }

    /** A slice of the array itself, not of a copy: the array must not change from now on. */
    public static Binary wrap(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return new Binary(array, offset, length);
    }

    public int length() {
        return length;
    }

    /**
     * The byte at {@code index}, counted from 0.
     *
     * @throws IndexOutOfBoundsException if there is no such byte */
    public byte byteAt(int index) {
        return array[offset + Objects.checkIndex(index, length)];
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** The bytes as text; what is not UTF-8 becomes U+FFFD. */
    public String utf8String() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /** A read-only view of the bytes, from 0 to {@link #length}. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    }

    /** Puts all bytes into {@code target}. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Binary binary
                && length == binary.length
                && Arrays.equals(array, offset, offset + length, binary.array, binary.offset, binary.offset + length);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(array, offset, length) ^ 0xb1;
    }

    /** As text where it is some in ASCII, else as numbers. */
    @Override
    public String toString() {
        if (Quoted.isText(array, offset, length)) {
            String text = new String(array, offset, length, StandardCharsets.US_ASCII);
            return "<<" + Quoted.of(text, '"') + ">>";
        }
        StringBuilder out = new StringBuilder(4 + 4 * length).append("<<");
        for (int i = 0; i < length; i++) {
            out.append(i == 0 ? "" : ",").append(array[offset + i] & 0xff);
        }
        return out.append(">>").toString();
    }
}
