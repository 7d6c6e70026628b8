package dev.touchstone.queue.log.segment;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a record, little-endian. A record begins at a multiple of 8 in its segment:
 *
 * <pre>
 *  0         4         8                   16
 *  +---------+---------+-------------------+----------- - - -+---------------+
 *  | word    | check   | sequence          | payload         | 0 to 7 zeros  |
 *  +---------+---------+-------------------+----------- - - -+---------------+
 * </pre>
 *
 * <ul>
 *   <li>{@code word}: the kind in the upper four bits, the bytes of payload, 0 to 2^28 - 1, in the others.
 *   <li>{@code check}: CRC-32C of the payload, XORed with a hash of sequence, word and the segment's salt. The salt differs
 *       between the uses of a recycled file, so what an earlier use left behind the end is never taken for a record.
 *   <li>{@code sequence}: from 1, without gaps; zeros are therefore not a record.
 * </ul>
 *
 * <p>Kind 0 is an appended record; kind 3 is one, too, whose payload begins with 8 bytes: the time in milliseconds of the epoch before
 * which it is not handed out. Kind 2 holds consumption, as {@code ConsumptionEntries} says; kind 1, of version 1, a row of {@code (cursor
 * id: 8, floor: 8)}. Both have the sequence of the appended record that follows them.
 */
public final class RecordFormat {
    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 16;

    /** Records begin at multiples of this. */
    public static final int ALIGNMENT = 8;

    /** Kind of an appended record. */
    public static final int APPENDED = 0;

    /** Kind of a record that says how far cursors had come. */
    public static final int FLOORS = 1;

    /** Kind of a record that holds consumption. */
    public static final int CONSUMPTION = 2;

    /** Kind of an appended record that begins with the time before which it is not handed out. */
    public static final int DELAYED = 3;

    private static final int MAX_PAYLOAD_BYTES = (1 << 28) - 1;

    private static final int KIND_SHIFT = 28;
    private static final int CHECK = 4;
    private static final int SEQUENCE = 8;

    private RecordFormat() {}

    /** Returns the bytes that a record with {@code payloadBytes} of payload takes, header and padding included. */
    public static int recordBytes(int payloadBytes) {
        return HEADER_BYTES + ((payloadBytes + ALIGNMENT - 1) & -ALIGNMENT);
    }

    /**
     * Writes a whole record at {@code offset}; does not touch the buffer's position, so records may be put concurrently. The check is that of
     * the copy, so that a payload which its owner changes meanwhile makes an unexpected record, never a damaged one.
     */
    public static void put(ByteBuffer target, int offset, long sequence, long salt, int kind, byte[] payload) {
        int length = payload.length;
        int word = kind << KIND_SHIFT | length;
        int padded = recordBytes(length);
        if (length % ALIGNMENT != 0) {
            target.putLong(offset + padded - ALIGNMENT, 0);
        }
        target.putInt(offset, word);
        target.putLong(offset + SEQUENCE, sequence);
        target.put(offset + HEADER_BYTES, payload);
        CRC32C crc = new CRC32C();
        crc.update(target.slice(offset + HEADER_BYTES, length));
        target.putInt(offset + CHECK, check(sequence, salt, word, (int) crc.getValue()));
    }

    /** Reads the word of the record at {@code offset}. */
    public static int word(ByteBuffer source, int offset) {
        return source.getInt(offset);
    }

    /** Returns whether a record's word says that it was appended, and has a sequence of its own. */
    public static boolean isAppended(int word) {
        return kind(word) == APPENDED || kind(word) == DELAYED;
    }

    /** Returns the kind in a record's word. */
    static int kind(int word) {
        return word >>> KIND_SHIFT;
    }

    /** Returns the bytes of payload in a record's word. */
    public static int length(int word) {
        return word & MAX_PAYLOAD_BYTES;
    }

    /** Reads the check of the record at {@code offset}. */
    public static int check(ByteBuffer source, int offset) {
        return source.getInt(offset + CHECK);
    }

    /** Reads the sequence of the record at {@code offset}. */
    public static long sequence(ByteBuffer source, int offset) {
        return source.getLong(offset + SEQUENCE);
    }

    /** Returns the check of a record with this payload. */
    public static int check(long sequence, long salt, int word, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload, 0, payload.length);
        return check(sequence, salt, word, (int) crc.getValue());
    }

    /** Returns the check of a record whose payload has this CRC-32C. */
    static int check(long sequence, long salt, int word, int payloadCrc) {
        return payloadCrc ^ hash(sequence, salt, word);
    }

    private static int hash(long sequence, long salt, int word) {
        long mixed = salt ^ (sequence * 0x9E3779B97F4A7C15L) ^ ((long) (word & MAX_PAYLOAD_BYTES) << 36) ^ kind(word);
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (int) (mixed >>> 32);
    }
}
