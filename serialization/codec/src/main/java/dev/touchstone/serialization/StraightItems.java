package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads records inside others, and arrays whose items differ in size, as {@link StraightReads} does. For {@link StraightCodec}. */
abstract class StraightItems extends StraightReads {
    StraightItems() {}

    protected static @Nullable String @Nullable [] strings(byte[] in, int at, int until, Limits limits) {
        int count = countOfItems(in, at, until, limits);
        if (count < 0) {
            return null;
        }
        int start = at + 2 * Integer.BYTES;
        int table = start + BigEndian.int32(in, at);
        int shift = OffsetTable.shift(table - start);
        @Nullable String[] values = new @Nullable String[count];
        int next = start;
        for (int i = 0; i < count; i++) {
            int offset = OffsetTable.get(in, table, shift, i);
            if (offset != OffsetTable.NULL) {
                String value = offset == next - start ? string(in, next, table) : null;
                if (value == null) {
                    return null;
                }
                values[i] = value;
                next = endOfBytes(in, next);
            }
        }
        return next == table ? values : null;
    }

    protected static @Nullable BigDecimal @Nullable [] decimals(byte[] in, int at, int until, Limits limits) {
        return items(in, at, until, BigDecimal[]::new, StraightReads::decimal, StraightReads::endOfDecimal, limits);
    }

    protected static @Nullable LocalTime @Nullable [] times(byte[] in, int at, int until, Limits limits) {
        return items(in, at, until, LocalTime[]::new, StraightReads::time, (from, next) -> next + TIME_BYTES, limits);
    }

    protected static @Nullable LocalDate @Nullable [] dates(byte[] in, int at, int until, Limits limits) {
        return items(in, at, until, LocalDate[]::new, StraightReads::date, (from, next) -> next + DATE_BYTES, limits);
    }

    protected static @Nullable LocalDateTime @Nullable [] timestamps(byte[] in, int at, int until, Limits limits) {
        return items(
                in,
                at,
                until,
                LocalDateTime[]::new,
                StraightReads::timestamp,
                (from, next) -> next + TIMESTAMP_BYTES,
                limits);
    }

    protected static @Nullable OffsetDateTime @Nullable [] timestampsWithTimezone(
            byte[] in, int at, int until, Limits limits) {
        return items(
                in,
                at,
                until,
                OffsetDateTime[]::new,
                StraightReads::timestampWithTimezone,
                (from, next) -> next + TIMESTAMP_WITH_TIMEZONE_BYTES,
                limits);
    }

    protected static @Nullable Boolean @Nullable [] nullableBooleans(byte[] in, int at, int until, Limits limits) {
        return items(in, at, until, Boolean[]::new, StraightReads::nullableBoolean, (from, next) -> next + 1, limits);
    }

    protected static @Nullable Byte @Nullable [] nullableInt8s(byte[] in, int at, int until, Limits limits) {
        return items(in, at, until, Byte[]::new, StraightReads::nullableInt8, (from, next) -> next + 1, limits);
    }

    protected static @Nullable Short @Nullable [] nullableInt16s(byte[] in, int at, int until, Limits limits) {
        return items(
                in, at, until, Short[]::new, StraightReads::nullableInt16, (from, next) -> next + Short.BYTES, limits);
    }

    protected static @Nullable Integer @Nullable [] nullableInt32s(byte[] in, int at, int until, Limits limits) {
        return items(
                in,
                at,
                until,
                Integer[]::new,
                StraightReads::nullableInt32,
                (from, next) -> next + Integer.BYTES,
                limits);
    }

    protected static @Nullable Long @Nullable [] nullableInt64s(byte[] in, int at, int until, Limits limits) {
        return items(
                in, at, until, Long[]::new, StraightReads::nullableInt64, (from, next) -> next + Long.BYTES, limits);
    }

    protected static @Nullable Float @Nullable [] nullableFloat32s(byte[] in, int at, int until, Limits limits) {
        return items(
                in,
                at,
                until,
                Float[]::new,
                StraightReads::nullableFloat32,
                (from, next) -> next + Float.BYTES,
                limits);
    }

    protected static @Nullable Double @Nullable [] nullableFloat64s(byte[] in, int at, int until, Limits limits) {
        return items(
                in,
                at,
                until,
                Double[]::new,
                StraightReads::nullableFloat64,
                (from, next) -> next + Double.BYTES,
                limits);
    }

    /** Reads an item, or tells that there is none. */
    private interface Item<T> {
        @Nullable
        T read(byte[] in, int at, int until);
    }

    private static <T> @Nullable T @Nullable [] items(
            byte[] in, int at, int until, IntFunction<@Nullable T[]> newArray, Item<T> item, End end, Limits limits) {
        int count = countOfItems(in, at, until, limits);
        if (count < 0) {
            return null;
        }
        int start = at + 2 * Integer.BYTES;
        int table = start + BigEndian.int32(in, at);
        int shift = OffsetTable.shift(table - start);
        @Nullable T[] values = newArray.apply(count);
        int next = start;
        for (int i = 0; i < count; i++) {
            int offset = OffsetTable.get(in, table, shift, i);
            if (offset != OffsetTable.NULL) {
                T value = offset == next - start ? item.read(in, next, table) : null;
                if (value == null) {
                    return null;
                }
                values[i] = value;
                next = end.of(in, next);
            }
        }
        return next == table ? values : null;
    }

    /** Where an array whose items differ in size ends. */
    protected static int endOfItems(byte[] in, int at) {
        int length = BigEndian.int32(in, at);
        return at
                + 2 * Integer.BYTES
                + length
                + (int) OffsetTable.bytes(length, BigEndian.int32(in, at + Integer.BYTES));
    }

    /** A record inside the one whose depth is given. */
    protected static <T> @Nullable T record(
            byte[] in, int at, int until, StraightCodec<T> codec, int depth, Limits limits) {
        return codec.readInside(in, at, until, depth, limits);
    }

    /** Where a record that was read ends. */
    protected static int endOfRecord(byte[] in, int at, StraightCodec<?> codec) {
        return codec.end(in, at);
    }

    protected static <T> @Nullable T @Nullable [] records(
            byte[] in,
            int at,
            int until,
            StraightCodec<T> codec,
            IntFunction<@Nullable T[]> newArray,
            int depth,
            Limits limits) {
        int count = countOfItems(in, at, until, limits);
        if (count < 0) {
            return null;
        }
        int start = at + 2 * Integer.BYTES;
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

    /** The same where items differ in size, and their data and offset table are inside. */
    private static int countOfItems(byte[] in, int at, int until, Limits limits) {
        if (until - at < 2 * Integer.BYTES) {
            return -1;
        }
        int count = count(in, at + Integer.BYTES, until, limits);
        int length = BigEndian.int32(in, at);
        int left = until - at - 2 * Integer.BYTES;
        return count >= 0 && length >= 0 && length + OffsetTable.bytes(length, count) <= left ? count : -1;
    }
}
