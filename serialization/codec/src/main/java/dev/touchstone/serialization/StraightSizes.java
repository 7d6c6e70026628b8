package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.OffsetTable;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** How many bytes values take up in the variable region, with their counts; null takes up none. For {@link StraightCodec}. */
abstract class StraightSizes {
    /** In place of a size, and of any size that includes it: this is written by index. */
    protected static final long NOT_STRAIGHT = -1L << 38;

    static final int DECIMAL_ADDED = 2 * Integer.BYTES;

    private static final int BITS = 8;
    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;

    StraightSizes() {}

    /**
     * Of a string.
     *
     * @param ascii whether to take it for one of ASCII without looking
     */
    protected static long size(@Nullable String value, boolean ascii) {
        if (value == null) {
            return 0;
        }
        return Integer.BYTES + (ascii ? value.length() : utf8Bytes(value));
    }

    /** Half a surrogate pair becomes one byte, a question mark. */
    private static long utf8Bytes(String value) {
        long bytes = 0;
        for (int i = 0; i < value.length(); i++) {
            char unit = value.charAt(i);
            if (unit < ONE_BYTE) {
                bytes++;
            } else if (unit < TWO_BYTES) {
                bytes += 2;
            } else if (!Character.isSurrogate(unit)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(unit)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes++;
            }
        }
        return bytes;
    }

    protected static long size(@Nullable BigDecimal value) {
        return value == null ? 0 : DECIMAL_ADDED + value.unscaledValue().bitLength() / BITS + 1;
    }

    protected static long size(boolean @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (checked(values.length, limits) + BITS - 1L) / BITS;
    }

    protected static long size(byte @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + checked(values.length, limits);
    }

    protected static long size(short @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (long) Short.BYTES * checked(values.length, limits);
    }

    protected static long size(int @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (long) Integer.BYTES * checked(values.length, limits);
    }

    protected static long size(long @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (long) Long.BYTES * checked(values.length, limits);
    }

    protected static long size(float @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (long) Float.BYTES * checked(values.length, limits);
    }

    protected static long size(double @Nullable [] values, Limits limits) {
        return values == null ? 0 : Integer.BYTES + (long) Double.BYTES * checked(values.length, limits);
    }

    protected static long size(@Nullable String @Nullable [] values, boolean ascii, Limits limits) {
        if (values == null) {
            return 0;
        }
        long data = 0;
        for (String value : values) {
            data += size(value, ascii);
        }
        return sizeOfItems(data, values.length, limits);
    }

    /** Of items that all have so many bytes, but those that are null. */
    protected static long size(@Nullable Object @Nullable [] values, int itemBytes, Limits limits) {
        if (values == null) {
            return 0;
        }
        long data = 0;
        for (Object value : values) {
            data += value == null ? 0 : itemBytes;
        }
        return sizeOfItems(data, values.length, limits);
    }

    protected static long size(@Nullable BigDecimal @Nullable [] values, Limits limits) {
        if (values == null) {
            return 0;
        }
        long data = 0;
        for (BigDecimal value : values) {
            data += size(value);
        }
        return sizeOfItems(data, values.length, limits);
    }

    /** Of a record inside the one whose depth is given. */
    protected static <T> long size(@Nullable T value, StraightCodec<T> codec, int depth, boolean ascii, Limits limits) {
        return value == null ? 0 : codec.sizeInside(value, depth, ascii, limits);
    }

    protected static <T> long size(
            @Nullable T @Nullable [] values, StraightCodec<T> codec, int depth, boolean ascii, Limits limits) {
        if (values == null) {
            return 0;
        }
        long data = 0;
        for (T value : values) {
            data += size(value, codec, depth, ascii, limits);
        }
        return sizeOfItems(data, values.length, limits);
    }

    private static long sizeOfItems(long data, int count, Limits limits) {
        return 2 * Integer.BYTES + tabled(data, checked(count, limits));
    }

    /** With its offset table. What is too long for an offset is too long for an array too. */
    static long tabled(long data, int entries) {
        return data + OffsetTable.bytes((int) Math.min(data, Integer.MAX_VALUE), entries);
    }

    private static int checked(int count, Limits limits) {
        if (count > limits.maxItems()) {
            throw new CompactLimitException("maxItems", count, limits.maxItems());
        }
        return count;
    }
}
