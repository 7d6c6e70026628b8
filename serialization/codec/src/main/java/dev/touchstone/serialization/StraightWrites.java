package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Writes values into an array that is long enough; those of the variable region return where they end. For {@link StraightCodec}. */
abstract class StraightWrites extends StraightSizes {
    /** In place of an end: a string is not of ASCII. */
    protected static final int NOT_ASCII = -1;

    static final int TIME_BYTES = 7;
    static final int DATE_BYTES = 6;
    static final int TIMESTAMP_BYTES = DATE_BYTES + TIME_BYTES;
    static final int TIMESTAMP_WITH_TIMEZONE_BYTES = TIMESTAMP_BYTES + Integer.BYTES;

    /** From here on an array of its own for the bytes costs less than a look at each character. */
    private static final int LONG_STRING = 64;

    private static final int BITS = 8;

    StraightWrites() {}

    protected static void putInt16(byte[] out, int at, short value) {
        BigEndian.putInt16(out, at, value);
    }

    protected static void putInt32(byte[] out, int at, int value) {
        BigEndian.putInt32(out, at, value);
    }

    protected static void putInt64(byte[] out, int at, long value) {
        BigEndian.putInt64(out, at, value);
    }

    protected static void putFloat32(byte[] out, int at, float value) {
        BigEndian.putFloat32(out, at, value);
    }

    protected static void putFloat64(byte[] out, int at, double value) {
        BigEndian.putFloat64(out, at, value);
    }

    /**
     * Writes a string.
     *
     * @return the end, or {@link #NOT_ASCII} if it was taken for ASCII in vain
     */
    protected static int put(byte[] out, int at, String value, boolean ascii) {
        int length = value.length();
        int from = at + Integer.BYTES;
        if (ascii && length < LONG_STRING) {
            BigEndian.putInt32(out, at, length);
            return Utf8.putAscii(out, from, value, length) ? from + length : NOT_ASCII;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (ascii && utf8.length != length) {
            return NOT_ASCII;
        }
        BigEndian.putInt32(out, at, utf8.length);
        System.arraycopy(utf8, 0, out, from, utf8.length);
        return from + utf8.length;
    }

    protected static int put(byte[] out, int at, Boolean value) {
        out[at] = (byte) (value ? 1 : 0);
        return at + 1;
    }

    protected static int put(byte[] out, int at, Byte value) {
        out[at] = value;
        return at + 1;
    }

    protected static int put(byte[] out, int at, Short value) {
        BigEndian.putInt16(out, at, value);
        return at + Short.BYTES;
    }

    protected static int put(byte[] out, int at, Integer value) {
        BigEndian.putInt32(out, at, value);
        return at + Integer.BYTES;
    }

    protected static int put(byte[] out, int at, Long value) {
        BigEndian.putInt64(out, at, value);
        return at + Long.BYTES;
    }

    protected static int put(byte[] out, int at, Float value) {
        BigEndian.putFloat32(out, at, value);
        return at + Float.BYTES;
    }

    protected static int put(byte[] out, int at, Double value) {
        BigEndian.putFloat64(out, at, value);
        return at + Double.BYTES;
    }

    protected static int put(byte[] out, int at, BigDecimal value) {
        byte[] digits = value.unscaledValue().toByteArray();
        BigEndian.putInt32(out, at, digits.length);
        int from = at + Integer.BYTES;
        System.arraycopy(digits, 0, out, from, digits.length);
        BigEndian.putInt32(out, from + digits.length, value.scale());
        return from + digits.length + Integer.BYTES;
    }

    protected static int put(byte[] out, int at, LocalTime value) {
        out[at] = (byte) value.getHour();
        out[at + 1] = (byte) value.getMinute();
        out[at + 2] = (byte) value.getSecond();
        BigEndian.putInt32(out, at + 3, value.getNano());
        return at + TIME_BYTES;
    }

    protected static int put(byte[] out, int at, LocalDate value) {
        BigEndian.putInt32(out, at, value.getYear());
        out[at + 4] = (byte) value.getMonthValue();
        out[at + 5] = (byte) value.getDayOfMonth();
        return at + DATE_BYTES;
    }

    protected static int put(byte[] out, int at, LocalDateTime value) {
        return put(out, put(out, at, value.toLocalDate()), value.toLocalTime());
    }

    protected static int put(byte[] out, int at, OffsetDateTime value) {
        int end = put(out, at, value.toLocalDateTime());
        BigEndian.putInt32(out, end, value.getOffset().getTotalSeconds());
        return end + Integer.BYTES;
    }

    protected static int put(byte[] out, int at, boolean[] values) {
        BigEndian.putInt32(out, at, values.length);
        int to = at + Integer.BYTES;
        for (int from = 0; from < values.length; from += BITS, to++) {
            int octet = 0;
            for (int bit = Math.min(BITS, values.length - from) - 1; bit >= 0; bit--) {
                octet = (octet << 1) | (values[from + bit] ? 1 : 0);
            }
            out[to] = (byte) octet;
        }
        return to;
    }

    protected static int put(byte[] out, int at, byte[] values) {
        BigEndian.putInt32(out, at, values.length);
        System.arraycopy(values, 0, out, at + Integer.BYTES, values.length);
        return at + Integer.BYTES + values.length;
    }

    protected static int put(byte[] out, int at, short[] values) {
        BigEndian.putInt32(out, at, values.length);
        int from = at + Integer.BYTES;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt16(out, from + i * Short.BYTES, values[i]);
        }
        return from + values.length * Short.BYTES;
    }

    protected static int put(byte[] out, int at, int[] values) {
        BigEndian.putInt32(out, at, values.length);
        int from = at + Integer.BYTES;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt32(out, from + i * Integer.BYTES, values[i]);
        }
        return from + values.length * Integer.BYTES;
    }

    protected static int put(byte[] out, int at, long[] values) {
        BigEndian.putInt32(out, at, values.length);
        int from = at + Integer.BYTES;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt64(out, from + i * Long.BYTES, values[i]);
        }
        return from + values.length * Long.BYTES;
    }

    /** Unlike all others, these keep the bits of a NaN: so does Hazelcast. */
    protected static int put(byte[] out, int at, float[] values) {
        BigEndian.putInt32(out, at, values.length);
        int from = at + Integer.BYTES;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putRawFloat32(out, from + i * Float.BYTES, values[i]);
        }
        return from + values.length * Float.BYTES;
    }

    protected static int put(byte[] out, int at, double[] values) {
        BigEndian.putInt32(out, at, values.length);
        int from = at + Integer.BYTES;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putFloat64(out, from + i * Double.BYTES, values[i]);
        }
        return from + values.length * Double.BYTES;
    }

    /* What the offset table needs of items that were written is seen in their bytes again, so that nothing has to be kept. */

    protected static int put(byte[] out, int at, @Nullable String[] values, boolean ascii) {
        int start = at + 2 * Integer.BYTES;
        int end = start;
        for (String value : values) {
            if (value != null) {
                end = put(out, end, value, ascii);
                if (end == NOT_ASCII) {
                    return NOT_ASCII;
                }
            }
        }
        int shift = beginTable(out, at, end - start, values.length);
        int item = start;
        for (int i = 0; i < values.length; i++) {
            boolean isNull = values[i] == null;
            OffsetTable.put(out, end, shift, i, isNull ? OffsetTable.NULL : item - start);
            item += isNull ? 0 : Integer.BYTES + BigEndian.int32(out, item);
        }
        return end + (values.length << shift);
    }

    protected static <T> int put(byte[] out, int at, T value, StraightCodec<T> codec, boolean ascii) {
        return codec.write(value, out, at, ascii);
    }

    protected static <T> int put(byte[] out, int at, @Nullable T[] values, StraightCodec<T> codec, boolean ascii) {
        int start = at + 2 * Integer.BYTES;
        int end = start;
        for (T value : values) {
            if (value != null) {
                end = codec.write(value, out, end, ascii);
                if (end == NOT_ASCII) {
                    return NOT_ASCII;
                }
            }
        }
        int shift = beginTable(out, at, end - start, values.length);
        int item = start;
        for (int i = 0; i < values.length; i++) {
            boolean isNull = values[i] == null;
            OffsetTable.put(out, end, shift, i, isNull ? OffsetTable.NULL : item - start);
            item = isNull ? item : codec.end(out, item);
        }
        return end + (values.length << shift);
    }

    private static int beginTable(byte[] out, int at, int dataLength, int count) {
        BigEndian.putInt32(out, at, dataLength);
        BigEndian.putInt32(out, at + Integer.BYTES, count);
        return OffsetTable.shift(dataLength);
    }

    protected static int put(byte[] out, int at, @Nullable BigDecimal[] values) {
        return putItems(out, at, values, StraightWrites::put, StraightReads::endOfDecimal);
    }

    protected static int put(byte[] out, int at, @Nullable LocalTime[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + TIME_BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable LocalDate[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + DATE_BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable LocalDateTime[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + TIMESTAMP_BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable OffsetDateTime[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + TIMESTAMP_WITH_TIMEZONE_BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable Boolean[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + 1);
    }

    protected static int put(byte[] out, int at, @Nullable Byte[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + 1);
    }

    protected static int put(byte[] out, int at, @Nullable Short[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + Short.BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable Integer[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + Integer.BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable Long[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + Long.BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable Float[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + Float.BYTES);
    }

    protected static int put(byte[] out, int at, @Nullable Double[] values) {
        return putItems(out, at, values, StraightWrites::put, (in, next) -> next + Double.BYTES);
    }

    /** Writes an item. */
    private interface Item<T> {
        int put(byte[] out, int at, T value);
    }

    /** Finds where an item that was written ends. */
    interface End {
        int of(byte[] in, int at);
    }

    private static <T> int putItems(byte[] out, int at, @Nullable T[] values, Item<T> item, End itemEnd) {
        int start = at + 2 * Integer.BYTES;
        int end = start;
        for (T value : values) {
            if (value != null) {
                end = item.put(out, end, value);
            }
        }
        int shift = beginTable(out, at, end - start, values.length);
        int next = start;
        for (int i = 0; i < values.length; i++) {
            boolean isNull = values[i] == null;
            OffsetTable.put(out, end, shift, i, isNull ? OffsetTable.NULL : next - start);
            next = isNull ? next : itemEnd.of(out, next);
        }
        return end + (values.length << shift);
    }

    /** How wide the entries of a record's offset table are, as a binary logarithm. */
    protected static int shift(int dataLength) {
        return OffsetTable.shift(dataLength);
    }

    protected static void putOffset(byte[] out, int table, int shift, int entry, int offset) {
        OffsetTable.put(out, table, shift, entry, offset);
    }
}
