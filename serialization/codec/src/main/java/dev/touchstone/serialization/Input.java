package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.Utf8;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from an array of bytes: those of the fixed region where they are, all others from where they begin to an end that they must not
 * pass. Its public methods are for the code that the annotation processor generates, which knows where each field stands; {@link
 * CompactReader} is meant for codecs that are written by hand. Thread-safe.
 */
public final class Input {
    /** In front of the items of an array: length of their data and count. */
    static final int ITEMS_HEAD_BYTES = 2 * Integer.BYTES;

    private Input() {}

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static byte int8(byte[] in, int at) {
        return in[at];
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static short int16(byte[] in, int at) {
        return BigEndian.int16(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static int int32(byte[] in, int at) {
        return BigEndian.int32(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static long int64(byte[] in, int at) {
        return BigEndian.int64(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static float float32(byte[] in, int at) {
        return BigEndian.float32(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at where it begins
     * @return the value
     */
    public static double float64(byte[] in, int at) {
        return BigEndian.float64(in, at);
    }

    /**
     * Returns the entry of an offset table that stands for null.
     *
     * @param width width of the entries in bytes
     * @return that many bytes with all bits set
     */
    public static int none(int width) {
        return -1 >>> (Integer.SIZE - Byte.SIZE * width);
    }

    /**
     * Returns an entry of a record's offset table, whatever its width.
     *
     * @param in bytes
     * @param end where the entry ends: not among the first four bytes
     * @param none {@link #none} of the table
     * @return the entry
     */
    public static int offset(byte[] in, int end, int none) {
        return BigEndian.int32(in, end - Integer.BYTES) & none;
    }

    /** Returns a string, or null if it can't be read. */
    static @Nullable String string(byte[] in, int at, int until) {
        int length = length(in, at, until);
        return length < 0 ? null : Utf8.get(in, at + Integer.BYTES, length);
    }

    /** Returns where a number of bytes ends, behind the int32 that tells how many. */
    static int endOfBytes(byte[] in, int at) {
        return at + Integer.BYTES + BigEndian.int32(in, at);
    }

    /** Returns a number of bytes that are there, or less than 0. */
    static int length(byte[] in, int at, int until) {
        if (until - at < Integer.BYTES) {
            return -1;
        }
        int length = BigEndian.int32(in, at);
        return length <= until - at - Integer.BYTES ? length : -1;
    }

    /** Returns a number of items, or less than 0. */
    static int count(byte[] in, int at, int until) {
        return until - at < Integer.BYTES ? -1 : BigEndian.int32(in, at);
    }

    /**
     * Reads an array whose items may be null.
     *
     * @param <T> type of the items
     * @param in bytes
     * @param at where the array begins
     * @param until where it ends at the latest
     * @param format format of the items
     * @param newArray makes an array of a length
     * @param limits bounds of arrays
     * @return the array, or null where the bytes are none or are beyond a limit
     */
    public static <T> @Nullable T @Nullable [] items(
            byte[] in, int at, int until, ValueFormat<T> format, IntFunction<@Nullable T[]> newArray, Limits limits) {
        int count = countOfItems(in, at, until, limits);
        if (count < 0) {
            return null;
        }
        int start = at + ITEMS_HEAD_BYTES;
        int table = start + BigEndian.int32(in, at);
        int shift = OffsetTable.shift(table - start);
        @Nullable T[] values = newArray.apply(count);
        int next = start;
        for (int i = 0; i < count; i++) {
            int offset = OffsetTable.get(in, table, shift, i);
            if (offset != OffsetTable.NULL) {
                T value = offset == next - start ? format.read(in, next, table, limits) : null;
                if (value == null) {
                    return null;
                }
                values[i] = value;
                next = format.end(in, next);
            }
        }
        return next == table ? values : null;
    }

    /**
     * Reads an array of records, which may be null.
     *
     * @param <T> type of the items
     * @param in bytes
     * @param at where the array begins
     * @param until where it ends at the latest
     * @param codec codec of the items
     * @param newArray makes an array of a length
     * @param depth how many records the array is in
     * @param limits bounds of arrays and of the depth
     * @return the array, or null where it is read by {@link CompactReader} only, or not at all
     */
    public static <T> @Nullable T @Nullable [] records(
            byte[] in,
            int at,
            int until,
            FixedLayoutCodec<T> codec,
            IntFunction<@Nullable T[]> newArray,
            int depth,
            Limits limits) {
        int count = countOfItems(in, at, until, limits);
        if (count < 0) {
            return null;
        }
        int start = at + ITEMS_HEAD_BYTES;
        int table = start + BigEndian.int32(in, at);
        int shift = OffsetTable.shift(table - start);
        @Nullable T[] values = newArray.apply(count);
        int next = start;
        for (int i = 0; i < count; i++) {
            int offset = OffsetTable.get(in, table, shift, i);
            if (offset != OffsetTable.NULL) {
                T value = offset == next - start ? codec.readInside(in, next, table, depth, limits) : null;
                if (value == null) {
                    return null;
                }
                values[i] = value;
                next = codec.end(in, next);
            }
        }
        return next == table ? values : null;
    }

    /**
     * Reads a record inside another.
     *
     * @param <T> type of the object
     * @param in bytes
     * @param at where the record begins
     * @param until where it ends at the latest
     * @param codec codec of the object
     * @param depth how many records this one is in
     * @param limits bound of the depth
     * @return the object, or null where it is read by {@link CompactReader} only, or not at all
     */
    public static <T> @Nullable T record(
            byte[] in, int at, int until, FixedLayoutCodec<T> codec, int depth, Limits limits) {
        return codec.readInside(in, at, until, depth, limits);
    }

    /**
     * Returns where a record ends that was read.
     *
     * @param in bytes
     * @param at where it begins
     * @param codec codec by which it was read
     * @return offset behind its last byte
     */
    public static int endOfRecord(byte[] in, int at, FixedLayoutCodec<?> codec) {
        return codec.end(in, at);
    }

    /**
     * Returns where an array ends whose items may be null and that was read.
     *
     * @param in bytes
     * @param at where it begins
     * @return offset behind its last byte
     */
    public static int endOfItems(byte[] in, int at) {
        int length = BigEndian.int32(in, at);
        int count = BigEndian.int32(in, at + Integer.BYTES);
        return at + ITEMS_HEAD_BYTES + length + (int) OffsetTable.bytes(length, count);
    }

    /** Returns how many items an array has whose data and offset table are inside, or less than 0. */
    static int countOfItems(byte[] in, int at, int until, Limits limits) {
        int left = until - at - ITEMS_HEAD_BYTES;
        if (left < 0) {
            return -1;
        }
        int length = BigEndian.int32(in, at);
        int count = BigEndian.int32(in, at + Integer.BYTES);
        boolean fits = count >= 0 && length >= 0 && length + OffsetTable.bytes(length, count) <= left;
        return fits && count <= limits.maxItems() ? count : -1;
    }
}
