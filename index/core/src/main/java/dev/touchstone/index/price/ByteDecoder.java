package dev.touchstone.index.price;

import dev.touchstone.index.CorruptEncodingException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A reader of the parts of an encoded batch or query, which checks each length before it allocates. Not thread-safe. */
final class ByteDecoder {
    private final ByteBuffer bytes;
    private final int begin;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed

    /** Creates a reader of the remaining bytes of a buffer, whose position it moves. */
    ByteDecoder(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.BIG_ENDIAN);
        begin = bytes.position();
    }

    int remaining() {
        return bytes.remaining();
    }

    int octet(String what) throws CorruptEncodingException {
        require(what, 1);
        return bytes.get() & 0xff;
    }

    long number(String what) throws CorruptEncodingException {
        require(what, Long.BYTES);
        return bytes.getLong();
    }

    /** Returns a count, which takes at most five bytes. */
    int count(String what, int max) throws CorruptEncodingException {
        long value = 0;
        int shift = 0;
        int octet;
        do {
            octet = octet(what);
            value |= (long) (octet & 0x7f) << shift;
            shift += 7;
        } while ((octet & 0x80) != 0 && shift < Integer.SIZE);
        if ((octet & 0x80) != 0 || value > max) {
            throw corrupt(what, "count=" + value + " expected=at most " + max);
        }
        return (int) value;
    }

    String text(String what) throws CorruptEncodingException {
        int length = count(what, bytes.remaining());
        require(what, length);
        if (bytes.hasArray() && isAscii(length)) { // most are, and need no decoder
            String text = new String(
                    bytes.array(), bytes.arrayOffset() + bytes.position(), length, StandardCharsets.ISO_8859_1);
            bytes.position(bytes.position() + length);
            return text;
        }
        ByteBuffer part = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            return utf8.decode(part).toString();
        } catch (CharacterCodingException e) {
            throw corrupt(what, "not UTF-8", e);
        }
    }

    /** Returns a text that {@link ByteEncoder#anyText} wrote. */
    String anyText(String what) throws CorruptEncodingException {
        int begin = bytes.position();
        int length = count(what, bytes.remaining());
        require(what, length);
        if (length == 0 || (bytes.get(bytes.position()) & 0xff) != ByteEncoder.UTF_16) {
            bytes.position(begin);
            return text(what);
        }
        if (length % 2 == 0) {
            throw corrupt(what, "half of a char: bytes=" + length);
        }
        bytes.position(bytes.position() + 1);
        char[] chars = new char[length / 2];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = bytes.getChar();
        }
        return new String(chars);
    }

    private boolean isAscii(int length) {
        for (int at = bytes.position(), end = at + length; at < end; at++) {
            if (bytes.get(at) < 0) {
                return false;
            }
        }
        return true;
    }

    private void require(String what, int length) throws CorruptEncodingException {
        if (bytes.remaining() < length) {
            throw corrupt(what, "bytes=" + bytes.remaining() + " expected=" + length);
        }
    }

    CorruptEncodingException corrupt(String what, String found) {
        return corrupt(what, found, null);
    }

    private CorruptEncodingException corrupt(String what, String found, @Nullable Throwable cause) {
        return new CorruptEncodingException(
                "corrupt " + what + ": " + found + " behind byte " + (bytes.position() - begin) + " of the content",
                cause);
    }
}
