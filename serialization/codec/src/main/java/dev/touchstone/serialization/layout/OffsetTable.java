package dev.touchstone.serialization.layout;

/**
 * The table of offsets at the end of a record, or at the end of an array of nullable items: one entry for each value, of 1, 2 or 4 bytes, with all
 * bits set for null. The length of the data in front decides the width of the entries, so that no offset can equal the entry for null.
 *
 * <pre>
 *   length of the data   entry     null
 *          0 ..    254   1 byte    0xff
 *        255 .. 65 534   2 bytes   0xffff
 *     65 535 ..          4 bytes   0xffffffff
 * </pre>
 */
public final class OffsetTable {
    /** Offset that stands for null. */
    public static final int NULL = -1;

    private static final int BYTE_BOUND = 0xff;
    private static final int SHORT_BOUND = 0xffff;

    private OffsetTable() {}

    /** Returns the binary logarithm of the width of an entry in bytes: 0, 1 or 2. */
    public static int shift(int dataLength) {
        return dataLength < BYTE_BOUND ? 0 : dataLength < SHORT_BOUND ? 1 : 2;
    }

    /** Returns the length of a table in bytes. */
    public static long bytes(int dataLength, int entries) {
        return (long) entries << shift(dataLength);
    }

    /** Returns the length of data that takes {@code bytes} together with its table, or a negative number if there is no such length. */
    public static int dataLength(int bytes, int entries) {
        int length = bytes - entries;
        if (length < BYTE_BOUND) {
            return length;
        }
        length -= entries;
        if (length < SHORT_BOUND) {
            return length < BYTE_BOUND ? -1 : length;
        }
        length -= 2 * entries;
        return length < SHORT_BOUND ? -1 : length;
    }

    /** Returns the entry {@code index} of the table at {@code at}: {@link #NULL}, or an offset, which is not checked. */
    public static int get(byte[] bytes, int at, int shift, int index) {
        if (shift == 0) {
            int offset = bytes[at + index] & BYTE_BOUND;
            return offset == BYTE_BOUND ? NULL : offset;
        }
        if (shift == 1) {
            int offset = BigEndian.int16(bytes, at + 2 * index) & SHORT_BOUND;
            return offset == SHORT_BOUND ? NULL : offset;
        }
        return BigEndian.int32(bytes, at + 4 * index);
    }

    /** Writes the entry {@code index} of the table at {@code at}: an offset or {@link #NULL}. */
    public static void put(byte[] bytes, int at, int shift, int index, int offset) {
        if (shift == 0) {
            bytes[at + index] = (byte) offset;
        } else if (shift == 1) {
            BigEndian.putInt16(bytes, at + 2 * index, (short) offset);
        } else {
            BigEndian.putInt32(bytes, at + 4 * index, offset);
        }
    }
}
