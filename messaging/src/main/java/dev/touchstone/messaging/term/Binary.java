package dev.touchstone.messaging.term;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sequence of bytes. May be a slice of a larger array, which it then keeps from being collected. */
public final class Binary implements Term {
    /** The binary without bytes. */
    public static final Binary EMPTY = new Binary(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Binary(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /**
     * Returns a binary of a copy of an array.
     *
     * @param bytes the bytes; copied
     * @return the binary
     */
    public static Binary of(byte[] bytes) {
        return new Binary(bytes.clone(), 0, bytes.length);
    }

    /**
     * Returns a binary of a copy of a part of an array.
     *
     * @param source array that holds the bytes; copied
     * @param offset index of the first byte
     * @param length bytes to copy
     * @return the binary
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static Binary of(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return new Binary(Arrays.copyOfRange(source, offset, offset + length), 0, length);
    }

    /**
     * Returns a binary of a text in UTF-8; half a surrogate pair becomes {@code ?}.
     *
     * @param text the text
     * @return the binary
     */
    public static Binary of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Binary(bytes, 0, bytes.length);
    }

    /**
     * Returns a binary that shares a part of an array.
     *
     * @param array the array; not copied, and must not change from now on
     * @param offset index of the first byte
     * @param length bytes of the binary
     * @return the binary
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static Binary wrap(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return new Binary(array, offset, length);
    }

    /**
     * Returns the number of bytes.
     *
     * @return 0 or more
     */
    public int length() {
        return length;
    }

    /**
     * Returns one byte.
     *
     * @param index counted from 0
     * @return the byte, signed
     * @throws IndexOutOfBoundsException if there is no such byte
     */
    public byte byteAt(int index) {
        return array[offset + Objects.checkIndex(index, length)];
    }

    /**
     * Returns the bytes.
     *
     * @return a copy, which the caller may change
     */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /**
     * Decodes the bytes as UTF-8; malformed sequences become U+FFFD.
     *
     * @return the text
     */
    public String utf8String() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /**
     * Returns a view of the bytes; none are copied.
     *
     * @return a read-only, big-endian buffer from 0 to {@link #length}
     */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    }

    /**
     * Copies all bytes to an array.
     *
     * @param target array to copy to
     * @param at index for the first byte
     * @throws IndexOutOfBoundsException if the target is too short
     */
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

    /** Returns the bytes as a text in quotes where they are printable ASCII, else as numbers. */
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
