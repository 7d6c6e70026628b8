package dev.touchstone.serialization.layout;

/**
 * The offsets at the end of a record, and of an array whose items differ in size: one entry for each, in 1, 2 or 4 bytes, with all bits
 * set for null. How many bytes follows from the length of the data in front, so that no offset can have the value that means null.
 *
 * <pre>
 *   length of the data   entry     null
 *          0 ..    254   1 byte    0xff
 *        255 .. 65 534   2 bytes   0xffff
 *     65 535 ..          4 bytes   0xffffffff
 * </pre>
 */
public final class OffsetTable {
    public static final int NULL = -1;

    private static final int BYTE_BOUND = 0xff;
    private static final int SHORT_BOUND = 0xffff;

    private OffsetTable() {}

    /** Binary logarithm of an entry's bytes. */
    public static int shift(int dataLength) {
        return dataLength < BYTE_BOUND ? 0 : dataLength < SHORT_BOUND ? 1 : 2;
    }

    /** Bytes of a table. */
    public static long bytes(int dataLength, int entries) {
        return (long) entries << shift(dataLength);
    }

    /** How long data is that takes so many bytes together with its table; negative if none does. */
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

    /** The entry {@code index} of the table at {@code at}: an offset, which may be anything, or {@link #NULL}. */
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

    /** Writes an offset or {@link #NULL}. */
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
