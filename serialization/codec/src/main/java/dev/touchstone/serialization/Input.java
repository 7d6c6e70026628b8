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

/**
 * Bytes, and how values are read from them. Nothing is read behind {@link #limit}, and nothing is allocated for a count before it is known
 * that the bytes are there. Extended, where the house would compose, so that a record is read with one object and no detour.
 */
abstract class Input {
    private static final int BITS = 8;

    final byte[] bytes;
    int position;
    /** Where the value ends that is read, or the data that it is in. Never behind the array. */
    int limit;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    abstract CompactFormatException damaged(String what, int offset);

    /** Refuses an array that is too long. */
    abstract void checkItems(int count);

    /** Passes bytes: where they begin. */
    final int take(int length) {
        int at = position;
        if (length > limit - at) {
            throw damaged("value is cut off: needed=" + length + " left=" + (limit - at), at);
        }
        position = at + length;
        return at;
    }

    /** The value of a field, where it has left nothing over. */
    final <T> T whole(T value) {
        if (position != limit) {
            throw damaged("value ends early: left=" + (limit - position), position);
        }
        return value;
    }

    final boolean bool() {
        int at = take(1);
        if ((bytes[at] & ~1) != 0) {
            throw damaged("not a boolean: value=" + bytes[at], at);
        }
        return bytes[at] != 0;
    }

    final byte int8() {
        return bytes[take(1)];
    }

    final short int16() {
        return BigEndian.int16(bytes, take(Short.BYTES));
    }

    final int int32() {
        return BigEndian.int32(bytes, take(Integer.BYTES));
    }

    final long int64() {
        return BigEndian.int64(bytes, take(Long.BYTES));
    }

    final float float32() {
        return BigEndian.float32(bytes, take(Float.BYTES));
    }

    final double float64() {
        return BigEndian.float64(bytes, take(Double.BYTES));
    }

    final String string() {
        int length = length();
        int at = position;
        position = at + length;
        String value = Utf8.get(bytes, at, length);
        if (value == null) {
            throw damaged("not UTF-8", at);
        }
        return value;
    }

    final BigDecimal decimal() {
        int length = length();
        if (length == 0) {
            throw damaged("number without digits", position);
        }
        int at = take(length);
        return new BigDecimal(new BigInteger(bytes, at, length), int32());
    }

    final LocalTime time() {
        int at = take(3 + Integer.BYTES);
        try {
            return LocalTime.of(bytes[at], bytes[at + 1], bytes[at + 2], BigEndian.int32(bytes, at + 3));
        } catch (DateTimeException e) {
            throw damaged("no such time: " + e.getMessage(), at);
        }
    }

    final LocalDate date() {
        int at = take(Integer.BYTES + 2);
        try {
            return LocalDate.of(BigEndian.int32(bytes, at), bytes[at + 4], bytes[at + 5]);
        } catch (DateTimeException e) {
            throw damaged("no such time: " + e.getMessage(), at);
        }
    }

    final LocalDateTime timestamp() {
        LocalDate date = date();
        return LocalDateTime.of(date, time());
    }

    final OffsetDateTime timestampWithTimezone() {
        LocalDateTime timestamp = timestamp();
        int at = position;
        try {
            return OffsetDateTime.of(timestamp, ZoneOffset.ofTotalSeconds(int32()));
        } catch (DateTimeException e) {
            throw damaged("no such time: " + e.getMessage(), at);
        }
    }

    final boolean[] bools() {
        int count = int32();
        if (count < 0 || ((long) count + BITS - 1) / BITS != limit - position) {
            throw miscounted(count);
        }
        checkItems(count);
        boolean[] values = new boolean[count];
        int at = position;
        for (int i = 0; i < count; i++) {
            values[i] = ((bytes[at + i / BITS] >> (i % BITS)) & 1) != 0;
        }
        position = limit;
        return values;
    }

    final byte[] int8s() {
        int at = position + Integer.BYTES;
        int count = count(1);
        return Arrays.copyOfRange(bytes, at, at + count);
    }

    final short[] int16s() {
        int at = position + Integer.BYTES;
        short[] values = new short[count(Short.BYTES)];
        byte[] from = bytes;
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.int16(from, at + i * Short.BYTES);
        }
        return values;
    }

    final int[] int32s() {
        int at = position + Integer.BYTES;
        int[] values = new int[count(Integer.BYTES)];
        byte[] from = bytes;
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.int32(from, at + i * Integer.BYTES);
        }
        return values;
    }

    final long[] int64s() {
        int at = position + Integer.BYTES;
        long[] values = new long[count(Long.BYTES)];
        byte[] from = bytes;
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.int64(from, at + i * Long.BYTES);
        }
        return values;
    }

    final float[] float32s() {
        int at = position + Integer.BYTES;
        float[] values = new float[count(Float.BYTES)];
        byte[] from = bytes;
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.float32(from, at + i * Float.BYTES);
        }
        return values;
    }

    final double[] float64s() {
        int at = position + Integer.BYTES;
        double[] values = new double[count(Double.BYTES)];
        byte[] from = bytes;
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.float64(from, at + i * Double.BYTES);
        }
        return values;
    }

    /** A number of bytes that follow, inside what is read. */
    private int length() {
        int length = int32();
        if (length < 0 || length > limit - position) {
            throw miscounted(length);
        }
        return length;
    }

    /** A number of items, which with their bytes take up all that is left; they are passed. */
    private int count(int itemBytes) {
        int count = int32();
        if (count < 0 || (long) count * itemBytes != limit - position) {
            throw miscounted(count);
        }
        checkItems(count);
        position = limit;
        return count;
    }

    private CompactFormatException miscounted(int count) {
        return damaged(
                "count does not fit the bytes: count=" + count + " left=" + (limit - position),
                position - Integer.BYTES);
    }
}
