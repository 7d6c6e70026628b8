package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.Utf8;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Methods that read values from an array of bytes. A value of the fixed region is read at its offset; any other value is read from its begin, and
 * must not pass a given end. The public methods are for the code that the annotation processor generates, which knows where each field stands; {@link
 * CompactReader} is meant for codecs that are written by hand. Thread-safe.
 */
public final class Input {
    /** Length of the head of an array of nullable items, in bytes: length of the data of the items, then number of items. */
    static final int ITEMS_HEAD_BYTES = 2 * Integer.BYTES;

    private Input() {}

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static byte int8(byte[] in, int at) {
        return in[at];
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static short int16(byte[] in, int at) {
        return BigEndian.int16(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static int int32(byte[] in, int at) {
        return BigEndian.int32(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static long int64(byte[] in, int at) {
        return BigEndian.int64(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static float float32(byte[] in, int at) {
        return BigEndian.float32(in, at);
    }

    /**
     * Returns a value of a fixed region.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return the value
     */
    public static double float64(byte[] in, int at) {
        return BigEndian.float64(in, at);
    }

    /**
     * Returns the entry of an offset table that stands for null.
     *
     * @param width width of an entry in bytes: 1, 2 or 4
     * @return {@code width} bytes with all bits set, as a number
     */
    public static int none(int width) {
        return -1 >>> (Integer.SIZE - Byte.SIZE * width);
    }

    /**
     * Returns an entry of a record's offset table of any width.
     *
     * @param in bytes
     * @param end offset behind the entry, at least 4
     * @param none result of {@link #none} for the table
     * @return the entry
     */
    public static int offset(byte[] in, int end, int none) {
        return BigEndian.int32(in, end - Integer.BYTES) & none;
    }

    /** Returns a string, or null if the bytes are not a string. */
    static @Nullable String string(byte[] in, int at, int until) {
        int length = length(in, at, until);
        return length < 0 ? null : Utf8.get(in, at + Integer.BYTES, length);
    }

    /** Returns the offset behind bytes that follow their length as an int32. */
    static int endOfBytes(byte[] in, int at) {
        return at + Integer.BYTES + BigEndian.int32(in, at);
    }

    /** Returns a length in bytes that fits before {@code until}, or a negative number if there is none. */
    static int length(byte[] in, int at, int until) {
        if (until - at < Integer.BYTES) {
            return -1;
        }
        int length = BigEndian.int32(in, at);
        return length <= until - at - Integer.BYTES ? length : -1;
    }

    /** Returns a number of items, or a negative number if there is none. */
    static int count(byte[] in, int at, int until) {
        return until - at < Integer.BYTES ? -1 : BigEndian.int32(in, at);
    }

    /**
     * Reads an array whose items may be null.
     *
     * @param <T> type of the items
     * @param in bytes
     * @param at offset at which the array begins
     * @param until offset at which the array ends at the latest
     * @param format format of the items
     * @param newArray constructor of an array of a given length
     * @param limits limits of arrays
     * @return the array, or null if the bytes are not an array or are beyond a limit
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
     * Reads an array of records, each of which may be null.
     *
     * @param <T> type of the items
     * @param in bytes
     * @param at offset at which the array begins
     * @param until offset at which the array ends at the latest
     * @param codec codec of the items
     * @param newArray constructor of an array of a given length
     * @param depth number of records around the array
     * @param limits limits of arrays and of the depth
     * @return the array, or null if only {@link CompactReader} can read it, or nothing can
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
     * @param at offset at which the record begins
     * @param until offset at which the record ends at the latest
     * @param codec codec of the object
     * @param depth number of records around this one
     * @param limits limit of the depth
     * @return the object, or null if only {@link CompactReader} can read it, or nothing can
     */
    public static <T> @Nullable T record(
            byte[] in, int at, int until, FixedLayoutCodec<T> codec, int depth, Limits limits) {
        return codec.readInside(in, at, until, depth, limits);
    }

    /**
     * Returns the end of a record that was read.
     *
     * @param in bytes
     * @param at offset at which the record begins
     * @param codec codec by which the record was read
     * @return offset behind the last byte of the record
     */
    public static int endOfRecord(byte[] in, int at, FixedLayoutCodec<?> codec) {
        return codec.end(in, at);
    }

    /**
     * Returns the end of an array of nullable items that was read.
     *
     * @param in bytes
     * @param at offset at which the array begins
     * @return offset behind the last byte of the array
     */
    public static int endOfItems(byte[] in, int at) {
        int length = BigEndian.int32(in, at);
        int count = BigEndian.int32(in, at + Integer.BYTES);
        return at + ITEMS_HEAD_BYTES + length + (int) OffsetTable.bytes(length, count);
    }

    /**
     * Returns the number of items of an array whose data and offset table end before {@code until}, or -1 if they do not or there are too many items.
     */
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
