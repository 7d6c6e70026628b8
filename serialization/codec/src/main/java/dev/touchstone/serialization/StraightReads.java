package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads values: those of the fixed region where they are, and those of the variable region from where they begin to an end that they must not
 * pass. Where a value can't be read it is null, and {@link RecordReader} will say why. For {@link StraightCodec}.
 */
abstract class StraightReads {
    static final int TIME_BYTES = 7;
    static final int DATE_BYTES = 6;
    static final int TIMESTAMP_BYTES = DATE_BYTES + TIME_BYTES;
    static final int TIMESTAMP_WITH_TIMEZONE_BYTES = TIMESTAMP_BYTES + Integer.BYTES;

    private static final int BITS = 8;

    StraightReads() {}

    protected static short int16(byte[] in, int at) {
        return BigEndian.int16(in, at);
    }

    protected static int int32(byte[] in, int at) {
        return BigEndian.int32(in, at);
    }

    protected static long int64(byte[] in, int at) {
        return BigEndian.int64(in, at);
    }

    protected static float float32(byte[] in, int at) {
        return BigEndian.float32(in, at);
    }

    protected static double float64(byte[] in, int at) {
        return BigEndian.float64(in, at);
    }

    /** An entry that stands for null. */
    protected static int none(int width) {
        return -1 >>> (Integer.SIZE - Byte.SIZE * width);
    }

    /** An entry of a record's offset table, whatever its width: the last bytes of the four that end with it. */
    protected static int offset(byte[] in, int end, int none) {
        return BigEndian.int32(in, end - Integer.BYTES) & none;
    }

    protected static @Nullable String string(byte[] in, int at, int until) {
        int length = length(in, at, until);
        return length < 0 ? null : Utf8.get(in, at + Integer.BYTES, length);
    }

    /** Where a string or a number's digits that were read end. */
    protected static int endOfBytes(byte[] in, int at) {
        return at + Integer.BYTES + BigEndian.int32(in, at);
    }

    protected static @Nullable Boolean nullableBoolean(byte[] in, int at, int until) {
        if (until - at < 1 || (in[at] & ~1) != 0) {
            return null;
        }
        return in[at] != 0;
    }

    protected static @Nullable Byte nullableInt8(byte[] in, int at, int until) {
        return until - at < 1 ? null : in[at];
    }

    protected static @Nullable Short nullableInt16(byte[] in, int at, int until) {
        return until - at < Short.BYTES ? null : BigEndian.int16(in, at);
    }

    protected static @Nullable Integer nullableInt32(byte[] in, int at, int until) {
        return until - at < Integer.BYTES ? null : BigEndian.int32(in, at);
    }

    protected static @Nullable Long nullableInt64(byte[] in, int at, int until) {
        return until - at < Long.BYTES ? null : BigEndian.int64(in, at);
    }

    protected static @Nullable Float nullableFloat32(byte[] in, int at, int until) {
        return until - at < Float.BYTES ? null : BigEndian.float32(in, at);
    }

    protected static @Nullable Double nullableFloat64(byte[] in, int at, int until) {
        return until - at < Double.BYTES ? null : BigEndian.float64(in, at);
    }

    protected static @Nullable BigDecimal decimal(byte[] in, int at, int until) {
        int length = length(in, at, until - Integer.BYTES);
        if (length < 1) {
            return null;
        }
        int from = at + Integer.BYTES;
        return new BigDecimal(new BigInteger(in, from, length), BigEndian.int32(in, from + length));
    }

    /** Where a number that was read ends. */
    protected static int endOfDecimal(byte[] in, int at) {
        return endOfBytes(in, at) + Integer.BYTES;
    }

    protected static @Nullable LocalTime time(byte[] in, int at, int until) {
        if (until - at < TIME_BYTES) {
            return null;
        }
        try {
            return LocalTime.of(in[at], in[at + 1], in[at + 2], BigEndian.int32(in, at + 3));
        } catch (DateTimeException e) {
            return null;
        }
    }

    protected static @Nullable LocalDate date(byte[] in, int at, int until) {
        if (until - at < DATE_BYTES) {
            return null;
        }
        try {
            return LocalDate.of(BigEndian.int32(in, at), in[at + 4], in[at + 5]);
        } catch (DateTimeException e) {
            return null;
        }
    }

    protected static @Nullable LocalDateTime timestamp(byte[] in, int at, int until) {
        LocalDate date = date(in, at, until);
        LocalTime time = date == null ? null : time(in, at + DATE_BYTES, until);
        return time == null ? null : LocalDateTime.of(date, time);
    }

    protected static @Nullable OffsetDateTime timestampWithTimezone(byte[] in, int at, int until) {
        if (until - at < TIMESTAMP_WITH_TIMEZONE_BYTES) {
            return null;
        }
        LocalDateTime timestamp = timestamp(in, at, until);
        try {
            return timestamp == null
                    ? null
                    : OffsetDateTime.of(
                            timestamp, ZoneOffset.ofTotalSeconds(BigEndian.int32(in, at + TIMESTAMP_BYTES)));
        } catch (DateTimeException e) {
            return null;
        }
    }

    protected static boolean @Nullable [] bools(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || ((long) count + BITS - 1) / BITS > until - from) {
            return null;
        }
        boolean[] values = new boolean[count];
        for (int i = 0; i < count; i++) {
            values[i] = ((in[from + i / BITS] >> (i % BITS)) & 1) != 0;
        }
        return values;
    }

    protected static byte @Nullable [] int8s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        return count < 0 || count > until - from ? null : Arrays.copyOfRange(in, from, from + count);
    }

    protected static short @Nullable [] int16s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || count > (until - from) / Short.BYTES) {
            return null;
        }
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = BigEndian.int16(in, from + i * Short.BYTES);
        }
        return values;
    }

    protected static int @Nullable [] int32s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || count > (until - from) / Integer.BYTES) {
            return null;
        }
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = BigEndian.int32(in, from + i * Integer.BYTES);
        }
        return values;
    }

    protected static long @Nullable [] int64s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || count > (until - from) / Long.BYTES) {
            return null;
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = BigEndian.int64(in, from + i * Long.BYTES);
        }
        return values;
    }

    protected static float @Nullable [] float32s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || count > (until - from) / Float.BYTES) {
            return null;
        }
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = BigEndian.float32(in, from + i * Float.BYTES);
        }
        return values;
    }

    protected static double @Nullable [] float64s(byte[] in, int at, int until, Limits limits) {
        int count = count(in, at, until, limits);
        int from = at + Integer.BYTES;
        if (count < 0 || count > (until - from) / Double.BYTES) {
            return null;
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = BigEndian.float64(in, from + i * Double.BYTES);
        }
        return values;
    }

    /** A number of bytes that are there, or -1. */
    private static int length(byte[] in, int at, int until) {
        if (until - at < Integer.BYTES) {
            return -1;
        }
        int length = BigEndian.int32(in, at);
        return length <= until - at - Integer.BYTES ? length : -1;
    }

    /** A number of items that is allowed, or less than 0. */
    static int count(byte[] in, int at, int until, Limits limits) {
        if (until - at < Integer.BYTES) {
            return -1;
        }
        int count = BigEndian.int32(in, at);
        return count <= limits.maxItems() ? count : -1;
    }

    /** Finds where an item ends. */
    interface End {
        int of(byte[] in, int at);
    }
}
