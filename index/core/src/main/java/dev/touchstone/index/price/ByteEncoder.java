package dev.touchstone.index.price;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of the bytes of an encoded batch or query. Takes no lock, unlike the streams of Java. Not thread-safe. */
final class ByteEncoder {
    /** Stands before the chars of a text that is not in UTF-8, in which no such byte exists. */
    static final int UTF_16 = 0xff;

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
        utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    private void utf8(byte[] text) {
        count(text.length);
        writeBytes(text);
    }

    /** Writes a text that may have halves of surrogate pairs, which UTF-8 cannot have: {@link #UTF_16} and two bytes for each char then. */
    void anyText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (text.equals(new String(encoded, StandardCharsets.UTF_8))) {
            utf8(encoded);
        } else {
            count(1 + 2 * text.length());
            write(UTF_16);
            for (int i = 0; i < text.length(); i++) {
                write(text.charAt(i) >>> Byte.SIZE);
                write(text.charAt(i));
            }
        }
    }
}
