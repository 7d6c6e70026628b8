package dev.touchstone.index.server.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A reader of the parts of an entry, which checks each length before it allocates. Not thread-safe. */
final class Decoder {
    private final ByteBuffer bytes;
    private final int begin;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed

    /** Creates a reader of the remaining bytes of a buffer, whose position it moves. */
    Decoder(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.BIG_ENDIAN);
        begin = bytes.position();
    }

    int remaining() {
        return bytes.remaining();
    }

    int octet(String what) throws CorruptBatchException {
        require(what, 1);
        return bytes.get() & 0xff;
    }

    long number(String what) throws CorruptBatchException {
        require(what, Long.BYTES);
        return bytes.getLong();
    }

    /** Returns a count, which takes at most five bytes. */
    int count(String what, int max) throws CorruptBatchException {
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

    String text(String what) throws CorruptBatchException {
        int length = count(what, bytes.remaining());
        require(what, length);
        ByteBuffer part = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            return utf8.decode(part).toString();
        } catch (CharacterCodingException e) {
            throw corrupt(what, "not UTF-8", e);
        }
    }

    private void require(String what, int length) throws CorruptBatchException {
        if (bytes.remaining() < length) {
            throw corrupt(what, "bytes=" + bytes.remaining() + " expected=" + length);
        }
    }

    CorruptBatchException corrupt(String what, String found) {
        return corrupt(what, found, null);
    }

    private CorruptBatchException corrupt(String what, String found, @Nullable Throwable cause) {
        return new CorruptBatchException(
                "corrupt " + what + ": " + found + " behind byte " + (bytes.position() - begin) + " of the changes",
                cause);
    }
}
