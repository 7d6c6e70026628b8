package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;

/** A buffer that grows, and how values are written to its end. */
final class Output {
    private static final int INITIAL_BYTES = 512;
    private static final int RETAINED_BYTES = 1 << 20;
    private static final int BITS = 8;

    byte[] buffer;
    int position;
    private final int maxBytes;

    Output(int maxBytes) {
        this.maxBytes = maxBytes;
        buffer = new byte[Math.min(INITIAL_BYTES, maxBytes)];
    }

    /** What was written, in an array of its own. */
    byte[] toByteArray() {
        return Arrays.copyOf(buffer, position);
    }

    /** Forgets what was written, and a buffer that has become large. */
    void clear() {
        position = 0;
        if (buffer.length > RETAINED_BYTES) {
            buffer = new byte[Math.min(INITIAL_BYTES, maxBytes)];
        }
    }

    /** Makes room, and passes it: where it begins. Its bytes are those of an earlier record. */
    int reserve(long bytes) {
        int at = position;
        if (bytes > buffer.length - at) {
            grow(at + bytes);
        }
        position = at + (int) bytes;
        return at;
    }

    private void grow(long needed) {
        if (needed > maxBytes) {
            throw new CompactLimitException("maxBytes", needed, maxBytes);
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(maxBytes, Math.max(needed, 2L * buffer.length)));
    }

    void bool(boolean value) {
        int8((byte) (value ? 1 : 0));
    }

    void int8(byte value) {
        int at = reserve(1);
        buffer[at] = value;
    }

    void int16(short value) {
        int at = reserve(Short.BYTES);
        BigEndian.putInt16(buffer, at, value);
    }

    void int32(int value) {
        int at = reserve(Integer.BYTES);
        BigEndian.putInt32(buffer, at, value);
    }

    void int64(long value) {
        int at = reserve(Long.BYTES);
        BigEndian.putInt64(buffer, at, value);
    }

    void float32(float value) {
        int at = reserve(Float.BYTES);
        BigEndian.putFloat32(buffer, at, value);
    }

    void float64(double value) {
        int at = reserve(Double.BYTES);
        BigEndian.putFloat64(buffer, at, value);
    }

    void string(String value) {
        if (value.length() > maxBytes) {
            throw new CompactLimitException("maxBytes", value.length(), maxBytes);
        }
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    void decimal(BigDecimal value) {
        bytes(value.unscaledValue().toByteArray());
        int32(value.scale());
    }

    void time(LocalTime value) {
        int at = reserve(3 + Integer.BYTES);
        buffer[at] = (byte) value.getHour();
        buffer[at + 1] = (byte) value.getMinute();
        buffer[at + 2] = (byte) value.getSecond();
        BigEndian.putInt32(buffer, at + 3, value.getNano());
    }

    void date(LocalDate value) {
        int at = reserve(Integer.BYTES + 2);
        BigEndian.putInt32(buffer, at, value.getYear());
        buffer[at + 4] = (byte) value.getMonthValue();
        buffer[at + 5] = (byte) value.getDayOfMonth();
    }

    void timestamp(LocalDateTime value) {
        date(value.toLocalDate());
        time(value.toLocalTime());
    }

    void timestampWithTimezone(OffsetDateTime value) {
        timestamp(value.toLocalDateTime());
        int32(value.getOffset().getTotalSeconds());
    }

    /** A number of bytes, and the bytes. */
    void bytes(byte[] values) {
        int at = counted(values.length, 1);
        System.arraycopy(values, 0, buffer, at, values.length);
    }

    void bools(boolean[] values) {
        int at = reserve(Integer.BYTES + ((long) values.length + BITS - 1) / BITS);
        BigEndian.putInt32(buffer, at, values.length);
        int to = at + Integer.BYTES;
        for (int from = 0; from < values.length; from += BITS, to++) {
            int octet = 0;
            for (int bit = Math.min(BITS, values.length - from) - 1; bit >= 0; bit--) {
                octet = (octet << 1) | (values[from + bit] ? 1 : 0);
            }
            buffer[to] = (byte) octet;
        }
    }

    void int16s(short[] values) {
        int at = counted(values.length, Short.BYTES);
        byte[] to = buffer;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt16(to, at + i * Short.BYTES, values[i]);
        }
    }

    void int32s(int[] values) {
        int at = counted(values.length, Integer.BYTES);
        byte[] to = buffer;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt32(to, at + i * Integer.BYTES, values[i]);
        }
    }

    void int64s(long[] values) {
        int at = counted(values.length, Long.BYTES);
        byte[] to = buffer;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putInt64(to, at + i * Long.BYTES, values[i]);
        }
    }

    /** Unlike all others, these keep the bits of a NaN: so does Hazelcast. */
    void float32s(float[] values) {
        int at = counted(values.length, Float.BYTES);
        byte[] to = buffer;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putRawFloat32(to, at + i * Float.BYTES, values[i]);
        }
    }

    void float64s(double[] values) {
        int at = counted(values.length, Double.BYTES);
        byte[] to = buffer;
        for (int i = 0; i < values.length; i++) {
            BigEndian.putFloat64(to, at + i * Double.BYTES, values[i]);
        }
    }

    /** Writes a count and makes room for what it counts: where that begins. */
    private int counted(int count, int itemBytes) {
        int at = reserve(Integer.BYTES + (long) count * itemBytes);
        BigEndian.putInt32(buffer, at, count);
        return at + Integer.BYTES;
    }
}
