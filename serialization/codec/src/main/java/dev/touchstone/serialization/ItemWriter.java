package dev.touchstone.serialization;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value, or an item of an array, behind what was written. There is one for each kind of field whose values are not in the fixed
 * region, but for strings and records. For {@link Output}.
 *
 * @param <T> type of the values
 */
@FunctionalInterface
public interface ItemWriter<T> {
    /** Writes {@code Boolean}. */
    ItemWriter<Boolean> BOOLEAN = Output::bool;

    /** Writes {@code Byte}. */
    ItemWriter<Byte> INT8 = Output::int8;

    /** Writes {@code Short}. */
    ItemWriter<Short> INT16 = Output::int16;

    /** Writes {@code Integer}. */
    ItemWriter<Integer> INT32 = Output::int32;

    /** Writes {@code Long}. */
    ItemWriter<Long> INT64 = Output::int64;

    /** Writes {@code Float}. */
    ItemWriter<Float> FLOAT32 = Output::float32;

    /** Writes {@code Double}. */
    ItemWriter<Double> FLOAT64 = Output::float64;

    /** Writes {@code BigDecimal}. */
    ItemWriter<BigDecimal> DECIMAL = Output::decimal;

    /** Writes {@code LocalTime}. */
    ItemWriter<LocalTime> TIME = Output::time;

    /** Writes {@code LocalDate}. */
    ItemWriter<LocalDate> DATE = Output::date;

    /** Writes {@code LocalDateTime}. */
    ItemWriter<LocalDateTime> TIMESTAMP = Output::timestamp;

    /** Writes {@code OffsetDateTime}. */
    ItemWriter<OffsetDateTime> TIMESTAMP_WITH_TIMEZONE = Output::timestampWithTimezone;

    /** Writes {@code boolean[]}. */
    ItemWriter<boolean[]> ARRAY_OF_BOOLEAN = Output::bools;

    /** Writes {@code byte[]}. */
    ItemWriter<byte[]> ARRAY_OF_INT8 = Output::int8s;

    /** Writes {@code short[]}. */
    ItemWriter<short[]> ARRAY_OF_INT16 = Output::int16s;

    /** Writes {@code int[]}. */
    ItemWriter<int[]> ARRAY_OF_INT32 = Output::int32s;

    /** Writes {@code long[]}. */
    ItemWriter<long[]> ARRAY_OF_INT64 = Output::int64s;

    /** Writes {@code float[]}. */
    ItemWriter<float[]> ARRAY_OF_FLOAT32 = Output::float32s;

    /** Writes {@code double[]}. */
    ItemWriter<double[]> ARRAY_OF_FLOAT64 = Output::float64s;

    /** Writes {@code String[]}. */
    ItemWriter<@Nullable String[]> ARRAY_OF_STRING = Output::strings;

    /**
     * Writes one value.
     *
     * @param out where to
     * @param item value
     */
    void write(Output out, T item);
}
