package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A format of the values of one kind in the variable region of a record, which writes, reads, measures and checks them. Each kind without a fixed
 * size has a format, except records and arrays of nullable items. {@link ArrayFormat} is for arrays whose items are of one size; {@link Input#items}
 * reads arrays of nullable items by the format of the items. Thread-safe.
 *
 * <p>Formats are for generated code and for the engine. Codecs that are written by hand use {@link CompactReader} and {@link CompactWriter}.
 *
 * @param <T> type of the values
 */
public abstract class ValueFormat<T> {
    /** Values of the kind {@code NULLABLE_BOOLEAN}: 1 byte, 0 or 1. */
    public static final ValueFormat<Boolean> BOOLEAN = new Sized<>(1) {
        @Override
        void put(byte[] out, int at, Boolean value) {
            out[at] = (byte) (value ? 1 : 0);
        }

        @Override
        @Nullable
        Boolean get(byte[] in, int at) {
            return (in[at] & ~1) == 0 ? in[at] != 0 : null;
        }

        @Override
        String reason(byte[] in, int at) {
            return "not a boolean: value=" + in[at];
        }
    };

    /** Values of the kind {@code NULLABLE_INT8}: 1 byte. */
    public static final ValueFormat<Byte> INT8 = new Sized<>(1) {
        @Override
        void put(byte[] out, int at, Byte value) {
            out[at] = value;
        }

        @Override
        Byte get(byte[] in, int at) {
            return in[at];
        }
    };

    /** Values of the kind {@code NULLABLE_INT16}: 2 bytes. */
    public static final ValueFormat<Short> INT16 = new Sized<>(Short.BYTES) {
        @Override
        void put(byte[] out, int at, Short value) {
            BigEndian.putInt16(out, at, value);
        }

        @Override
        Short get(byte[] in, int at) {
            return BigEndian.int16(in, at);
        }
    };

    /** Values of the kind {@code NULLABLE_INT32}: 4 bytes. */
    public static final ValueFormat<Integer> INT32 = new Sized<>(Integer.BYTES) {
        @Override
        void put(byte[] out, int at, Integer value) {
            BigEndian.putInt32(out, at, value);
        }

        @Override
        Integer get(byte[] in, int at) {
            return BigEndian.int32(in, at);
        }
    };

    /** Values of the kind {@code NULLABLE_INT64}: 8 bytes. */
    public static final ValueFormat<Long> INT64 = new Sized<>(Long.BYTES) {
        @Override
        void put(byte[] out, int at, Long value) {
            BigEndian.putInt64(out, at, value);
        }

        @Override
        Long get(byte[] in, int at) {
            return BigEndian.int64(in, at);
        }
    };

    /** Values of the kind {@code NULLABLE_FLOAT32}: 4 bytes, with the same bits for every NaN. */
    public static final ValueFormat<Float> FLOAT32 = new Sized<>(Float.BYTES) {
        @Override
        void put(byte[] out, int at, Float value) {
            BigEndian.putFloat32(out, at, value);
        }

        @Override
        Float get(byte[] in, int at) {
            return BigEndian.float32(in, at);
        }
    };

    /** Values of the kind {@code NULLABLE_FLOAT64}: 8 bytes, with the same bits for every NaN. */
    public static final ValueFormat<Double> FLOAT64 = new Sized<>(Double.BYTES) {
        @Override
        void put(byte[] out, int at, Double value) {
            BigEndian.putFloat64(out, at, value);
        }

        @Override
        Double get(byte[] in, int at) {
            return BigEndian.float64(in, at);
        }
    };

    /** Values of the kind {@code STRING}: length in bytes: int32 | UTF-8. */
    public static final ValueFormat<String> STRING = new Bytes<>() {
        @Override
        void write(Output out, String value) {
            out.string(value);
        }

        @Override
        public @Nullable String read(byte[] in, int at, int until, Limits limits) {
            return Input.string(in, at, until);
        }

        @Override
        public int end(byte[] in, int at) {
            return Input.endOfBytes(in, at);
        }

        @Override
        String reason(byte[] in, int at) {
            return "not UTF-8";
        }
    };

    /** Values of the kind {@code DECIMAL}: length in bytes: int32 | unscaled value, two's complement | scale: int32. */
    public static final ValueFormat<BigDecimal> DECIMAL = new Bytes<>() {
        @Override
        void write(Output out, BigDecimal value) {
            out.bytes(value.unscaledValue().toByteArray());
            int at = out.reserve(Integer.BYTES); // which may change the buffer
            BigEndian.putInt32(out.buffer, at, value.scale());
        }

        @Override
        public @Nullable BigDecimal read(byte[] in, int at, int until, Limits limits) {
            int length = Input.length(in, at, until - Integer.BYTES);
            if (length < 1) {
                return null;
            }
            int from = at + Integer.BYTES;
            return new BigDecimal(new BigInteger(in, from, length), BigEndian.int32(in, from + length));
        }

        @Override
        public int end(byte[] in, int at) {
            return Input.endOfBytes(in, at) + Integer.BYTES;
        }

        @Override
        String reason(byte[] in, int at) {
            return "number without digits or scale";
        }
    };

    /** Values of the kind {@code TIME}: hour: int8 | minute: int8 | second: int8 | nanosecond: int32. */
    public static final ValueFormat<LocalTime> TIME = new Temporal<>(7) {
        @Override
        void put(byte[] out, int at, LocalTime value) {
            putTime(out, at, value);
        }

        @Override
        LocalTime parse(byte[] in, int at) {
            return time(in, at);
        }
    };

    /** Values of the kind {@code DATE}: year: int32 | month: int8 | day of the month: int8. */
    public static final ValueFormat<LocalDate> DATE = new Temporal<>(6) {
        @Override
        void put(byte[] out, int at, LocalDate value) {
            putDate(out, at, value);
        }

        @Override
        LocalDate parse(byte[] in, int at) {
            return date(in, at);
        }
    };

    /** Values of the kind {@code TIMESTAMP}: date | time. */
    public static final ValueFormat<LocalDateTime> TIMESTAMP = new Temporal<>(13) {
        @Override
        void put(byte[] out, int at, LocalDateTime value) {
            putTimestamp(out, at, value);
        }

        @Override
        LocalDateTime parse(byte[] in, int at) {
            return timestamp(in, at);
        }
    };

    /** Values of the kind {@code TIMESTAMP_WITH_TIMEZONE}: date | time | seconds east of Greenwich: int32. */
    public static final ValueFormat<OffsetDateTime> TIMESTAMP_WITH_TIMEZONE = new Temporal<>(17) {
        @Override
        void put(byte[] out, int at, OffsetDateTime value) {
            putTimestamp(out, at, value.toLocalDateTime());
            BigEndian.putInt32(out, at + 13, value.getOffset().getTotalSeconds());
        }

        @Override
        OffsetDateTime parse(byte[] in, int at) {
            return OffsetDateTime.of(timestamp(in, at), ZoneOffset.ofTotalSeconds(BigEndian.int32(in, at + 13)));
        }
    };

    ValueFormat() {}

    /** Writes a value behind the bytes that were written before. */
    abstract void write(Output out, T value);

    /**
     * Reads a value that begins at an offset.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @param until offset at which the value ends at the latest
     * @param limits limits of arrays
     * @return the value, or null if the bytes are not a value or are beyond a limit; nothing is allocated in that case
     */
    public abstract @Nullable T read(byte[] in, int at, int until, Limits limits);

    /**
     * Returns the end of a value that was read.
     *
     * @param in bytes
     * @param at offset at which the value begins
     * @return offset behind the last byte of the value
     */
    public abstract int end(byte[] in, int at);

    /** Returns the damage of a value that was not read, or that does not end at {@code until}; null if only a limit was exceeded. */
    abstract @Nullable Damage damage(byte[] in, int at, int until);

    /** Returns what is wrong with the bytes of a value that is complete. */
    String reason(byte[] in, int at) {
        return "not a value";
    }

    /**
     * A description of a value that cannot be read.
     *
     * @param what problem, for people
     * @param at offset in the bytes
     */
    record Damage(String what, int at) {
        static Damage cutOff(long needed, int left, int at) {
            return new Damage("value is cut off: needed=" + needed + " left=" + left, at);
        }

        static Damage endsEarly(int end, int until) {
            return new Damage("value ends early: left=" + (until - end), end);
        }

        static Damage miscounted(int count, int left, int at) {
            return new Damage("count does not fit the bytes: count=" + count + " left=" + left, at);
        }
    }

    /** A format of values that all have the same size. */
    private abstract static class Sized<T> extends ValueFormat<T> {
        private final int bytes;

        Sized(int bytes) {
            this.bytes = bytes;
        }

        abstract void put(byte[] out, int at, T value);

        /** Returns the value of complete bytes, or null if the bytes are not a value. */
        abstract @Nullable T get(byte[] in, int at);

        @Override
        final void write(Output out, T value) {
            int at = out.reserve(bytes);
            put(out.buffer, at, value);
        }

        @Override
        public final @Nullable T read(byte[] in, int at, int until, Limits limits) {
            return until - at < bytes ? null : get(in, at);
        }

        @Override
        public final int end(byte[] in, int at) {
            return at + bytes;
        }

        @Override
        final Damage damage(byte[] in, int at, int until) {
            if (until - at < bytes) {
                return Damage.cutOff(bytes, until - at, at);
            }
            return get(in, at) == null ? new Damage(reason(in, at), at) : Damage.endsEarly(at + bytes, until);
        }
    }

    /** A format of dates and times. */
    private abstract static class Temporal<T> extends Sized<T> {
        Temporal(int bytes) {
            super(bytes);
        }

        /**
         * Returns the value of complete bytes.
         *
         * @throws DateTimeException if the bytes are not a time
         */
        abstract T parse(byte[] in, int at);

        @Override
        final @Nullable T get(byte[] in, int at) {
            try {
                return parse(in, at);
            } catch (DateTimeException e) {
                return null;
            }
        }

        @Override
        final String reason(byte[] in, int at) {
            try {
                return "a time: " + parse(in, at);
            } catch (DateTimeException e) {
                return "no such time: " + e.getMessage();
            }
        }

        static LocalDate date(byte[] in, int at) {
            return LocalDate.of(BigEndian.int32(in, at), in[at + 4], in[at + 5]);
        }

        static LocalTime time(byte[] in, int at) {
            return LocalTime.of(in[at], in[at + 1], in[at + 2], BigEndian.int32(in, at + 3));
        }

        static LocalDateTime timestamp(byte[] in, int at) {
            return LocalDateTime.of(date(in, at), time(in, at + 6));
        }

        static void putDate(byte[] out, int at, LocalDate value) {
            BigEndian.putInt32(out, at, value.getYear());
            out[at + 4] = (byte) value.getMonthValue();
            out[at + 5] = (byte) value.getDayOfMonth();
        }

        static void putTime(byte[] out, int at, LocalTime value) {
            out[at] = (byte) value.getHour();
            out[at + 1] = (byte) value.getMinute();
            out[at + 2] = (byte) value.getSecond();
            BigEndian.putInt32(out, at + 3, value.getNano());
        }

        static void putTimestamp(byte[] out, int at, LocalDateTime value) {
            putDate(out, at, value.toLocalDate());
            putTime(out, at + 6, value.toLocalTime());
        }
    }

    /** A format of values that begin with their length in bytes. */
    private abstract static class Bytes<T> extends ValueFormat<T> {
        @Override
        final Damage damage(byte[] in, int at, int until) {
            if (until - at < Integer.BYTES) {
                return Damage.cutOff(Integer.BYTES, until - at, at);
            }
            int length = Input.length(in, at, until);
            if (length < 0) {
                return Damage.miscounted(BigEndian.int32(in, at), until - at - Integer.BYTES, at);
            }
            return read(in, at, until, Limits.DEFAULT) == null
                    ? new Damage(reason(in, at), at + Integer.BYTES)
                    : Damage.endsEarly(end(in, at), until);
        }
    }
}
