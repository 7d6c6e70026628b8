package dev.touchstone.index.price;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of the bytes of an encoded batch or query. Takes no lock, unlike the streams of Java. Not thread-safe. */
final class ByteEncoder {
    private static final int FIRST_BYTES = 256;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    private void reserve(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(2L * size, Integer.MAX_VALUE - 16)));
        }
    }

    int size() {
        return size;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    void write(int octet) {
        reserve(1);
        bytes[size++] = (byte) octet;
    }

    void writeBytes(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    void number(long value) {
        reserve(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    void count(int value) {
        int rest = value;
        while (rest >= 0x80) {
            write(rest | 0x80);
            rest >>>= 7;
        }
        write(rest);
    }

    void text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        count(encoded.length);
        writeBytes(encoded);
    }
}
