package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.KindId;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads the fields of the record at hand, each by the method of its kind; kinds with and without nulls are read for each other. */
final class RecordReader extends RecordCursor implements CompactReader {
    RecordReader(Resolver resolver, byte[] bytes, int depth) {
        super(resolver, bytes, depth);
    }

    @Override
    <T> T object(CompactCodec<T> codec) {
        return codec.read(this);
    }

    @Override
    public Schema schema() {
        return record;
    }

    @Override
    public boolean has(int field) {
        return kinds[field] != KindId.NONE;
    }

    @Override
    public boolean has(String field) {
        return record.indexOf(field) >= 0;
    }

    @Override
    public boolean readBoolean(int field) {
        return kinds[field] == KindId.BOOLEAN ? bit(field) : present(field, readNullableBoolean(field));
    }

    @Override
    public byte readInt8(int field) {
        return kinds[field] == KindId.INT8 ? bytes[base + places[field]] : present(field, readNullableInt8(field));
    }

    @Override
    public short readInt16(int field) {
        return kinds[field] == KindId.INT16
                ? BigEndian.int16(bytes, base + places[field])
                : present(field, readNullableInt16(field));
    }

    @Override
    public int readInt32(int field) {
        return kinds[field] == KindId.INT32
                ? BigEndian.int32(bytes, base + places[field])
                : present(field, readNullableInt32(field));
    }

    @Override
    public long readInt64(int field) {
        return kinds[field] == KindId.INT64
                ? BigEndian.int64(bytes, base + places[field])
                : present(field, readNullableInt64(field));
    }

    @Override
    public float readFloat32(int field) {
        return kinds[field] == KindId.FLOAT32
                ? BigEndian.float32(bytes, base + places[field])
                : present(field, readNullableFloat32(field));
    }

    @Override
    public double readFloat64(int field) {
        return kinds[field] == KindId.FLOAT64
                ? BigEndian.float64(bytes, base + places[field])
                : present(field, readNullableFloat64(field));
    }

    @Override
    public @Nullable String readString(int field) {
        return locate(field, KindId.STRING) ? whole(string()) : null;
    }

    @Override
    public @Nullable BigDecimal readDecimal(int field) {
        return locate(field, KindId.DECIMAL) ? whole(decimal()) : null;
    }

    @Override
    public @Nullable LocalTime readTime(int field) {
        return locate(field, KindId.TIME) ? whole(time()) : null;
    }

    @Override
    public @Nullable LocalDate readDate(int field) {
        return locate(field, KindId.DATE) ? whole(date()) : null;
    }

    @Override
    public @Nullable LocalDateTime readTimestamp(int field) {
        return locate(field, KindId.TIMESTAMP) ? whole(timestamp()) : null;
    }

    @Override
    public @Nullable OffsetDateTime readTimestampWithTimezone(int field) {
        return locate(field, KindId.TIMESTAMP_WITH_TIMEZONE) ? whole(timestampWithTimezone()) : null;
    }

    @Override
    public @Nullable Boolean readNullableBoolean(int field) {
        if (kinds[field] == KindId.BOOLEAN) {
            return bit(field);
        }
        return locate(field, KindId.NULLABLE_BOOLEAN) ? whole(bool()) : null;
    }

    @Override
    public @Nullable Byte readNullableInt8(int field) {
        if (kinds[field] == KindId.INT8) {
            return bytes[base + places[field]];
        }
        return locate(field, KindId.NULLABLE_INT8) ? whole(int8()) : null;
    }

    @Override
    public @Nullable Short readNullableInt16(int field) {
        if (kinds[field] == KindId.INT16) {
            return BigEndian.int16(bytes, base + places[field]);
        }
        return locate(field, KindId.NULLABLE_INT16) ? whole(int16()) : null;
    }

    @Override
    public @Nullable Integer readNullableInt32(int field) {
        if (kinds[field] == KindId.INT32) {
            return BigEndian.int32(bytes, base + places[field]);
        }
        return locate(field, KindId.NULLABLE_INT32) ? whole(int32()) : null;
    }

    @Override
    public @Nullable Long readNullableInt64(int field) {
        if (kinds[field] == KindId.INT64) {
            return BigEndian.int64(bytes, base + places[field]);
        }
        return locate(field, KindId.NULLABLE_INT64) ? whole(int64()) : null;
    }

    @Override
    public @Nullable Float readNullableFloat32(int field) {
        if (kinds[field] == KindId.FLOAT32) {
            return BigEndian.float32(bytes, base + places[field]);
        }
        return locate(field, KindId.NULLABLE_FLOAT32) ? whole(float32()) : null;
    }

    @Override
    public @Nullable Double readNullableFloat64(int field) {
        if (kinds[field] == KindId.FLOAT64) {
            return BigEndian.float64(bytes, base + places[field]);
        }
        return locate(field, KindId.NULLABLE_FLOAT64) ? whole(float64()) : null;
    }

    @Override
    public boolean @Nullable [] readArrayOfBoolean(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_BOOLEAN) {
            return Boxes.bools(field, this, readArrayOfNullableBoolean(field));
        }
        return locate(field, KindId.ARRAY_OF_BOOLEAN) ? whole(bools()) : null;
    }

    @Override
    public byte @Nullable [] readArrayOfInt8(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_INT8) {
            return Boxes.int8s(field, this, readArrayOfNullableInt8(field));
        }
        return locate(field, KindId.ARRAY_OF_INT8) ? whole(int8s()) : null;
    }

    @Override
    public short @Nullable [] readArrayOfInt16(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_INT16) {
            return Boxes.int16s(field, this, readArrayOfNullableInt16(field));
        }
        return locate(field, KindId.ARRAY_OF_INT16) ? whole(int16s()) : null;
    }

    @Override
    public int @Nullable [] readArrayOfInt32(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_INT32) {
            return Boxes.int32s(field, this, readArrayOfNullableInt32(field));
        }
        return locate(field, KindId.ARRAY_OF_INT32) ? whole(int32s()) : null;
    }

    @Override
    public long @Nullable [] readArrayOfInt64(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_INT64) {
            return Boxes.int64s(field, this, readArrayOfNullableInt64(field));
        }
        return locate(field, KindId.ARRAY_OF_INT64) ? whole(int64s()) : null;
    }

    @Override
    public float @Nullable [] readArrayOfFloat32(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_FLOAT32) {
            return Boxes.float32s(field, this, readArrayOfNullableFloat32(field));
        }
        return locate(field, KindId.ARRAY_OF_FLOAT32) ? whole(float32s()) : null;
    }

    @Override
    public double @Nullable [] readArrayOfFloat64(int field) {
        if (kinds[field] == KindId.ARRAY_OF_NULLABLE_FLOAT64) {
            return Boxes.float64s(field, this, readArrayOfNullableFloat64(field));
        }
        return locate(field, KindId.ARRAY_OF_FLOAT64) ? whole(float64s()) : null;
    }

    @Override
    public @Nullable String @Nullable [] readArrayOfString(int field) {
        return locate(field, KindId.ARRAY_OF_STRING) ? whole(items(String[]::new, Input::string)) : null;
    }

    @Override
    public @Nullable BigDecimal @Nullable [] readArrayOfDecimal(int field) {
        return locate(field, KindId.ARRAY_OF_DECIMAL) ? whole(items(BigDecimal[]::new, Input::decimal)) : null;
    }

    @Override
    public @Nullable LocalTime @Nullable [] readArrayOfTime(int field) {
        return locate(field, KindId.ARRAY_OF_TIME) ? whole(items(LocalTime[]::new, Input::time)) : null;
    }

    @Override
    public @Nullable LocalDate @Nullable [] readArrayOfDate(int field) {
        return locate(field, KindId.ARRAY_OF_DATE) ? whole(items(LocalDate[]::new, Input::date)) : null;
    }

    @Override
    public @Nullable LocalDateTime @Nullable [] readArrayOfTimestamp(int field) {
        return locate(field, KindId.ARRAY_OF_TIMESTAMP) ? whole(items(LocalDateTime[]::new, Input::timestamp)) : null;
    }

    @Override
    public @Nullable OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(int field) {
        return locate(field, KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE)
                ? whole(items(OffsetDateTime[]::new, Input::timestampWithTimezone))
                : null;
    }

    @Override
    public @Nullable Boolean @Nullable [] readArrayOfNullableBoolean(int field) {
        if (kinds[field] == KindId.ARRAY_OF_BOOLEAN) {
            return Boxes.boxed(readArrayOfBoolean(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_BOOLEAN) ? whole(items(Boolean[]::new, Input::bool)) : null;
    }

    @Override
    public @Nullable Byte @Nullable [] readArrayOfNullableInt8(int field) {
        if (kinds[field] == KindId.ARRAY_OF_INT8) {
            return Boxes.boxed(readArrayOfInt8(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_INT8) ? whole(items(Byte[]::new, Input::int8)) : null;
    }

    @Override
    public @Nullable Short @Nullable [] readArrayOfNullableInt16(int field) {
        if (kinds[field] == KindId.ARRAY_OF_INT16) {
            return Boxes.boxed(readArrayOfInt16(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_INT16) ? whole(items(Short[]::new, Input::int16)) : null;
    }

    @Override
    public @Nullable Integer @Nullable [] readArrayOfNullableInt32(int field) {
        if (kinds[field] == KindId.ARRAY_OF_INT32) {
            return Boxes.boxed(readArrayOfInt32(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_INT32) ? whole(items(Integer[]::new, Input::int32)) : null;
    }

    @Override
    public @Nullable Long @Nullable [] readArrayOfNullableInt64(int field) {
        if (kinds[field] == KindId.ARRAY_OF_INT64) {
            return Boxes.boxed(readArrayOfInt64(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_INT64) ? whole(items(Long[]::new, Input::int64)) : null;
    }

    @Override
    public @Nullable Float @Nullable [] readArrayOfNullableFloat32(int field) {
        if (kinds[field] == KindId.ARRAY_OF_FLOAT32) {
            return Boxes.boxed(readArrayOfFloat32(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_FLOAT32) ? whole(items(Float[]::new, Input::float32)) : null;
    }

    @Override
    public @Nullable Double @Nullable [] readArrayOfNullableFloat64(int field) {
        if (kinds[field] == KindId.ARRAY_OF_FLOAT64) {
            return Boxes.boxed(readArrayOfFloat64(field));
        }
        return locate(field, KindId.ARRAY_OF_NULLABLE_FLOAT64) ? whole(items(Double[]::new, Input::float64)) : null;
    }

    @Override
    public <T> @Nullable T readCompact(int field, CompactCodec<T> codec) {
        return locate(field, KindId.COMPACT) ? whole(record(codec)) : null;
    }

    @Override
    public <T> @Nullable T @Nullable [] readArrayOfCompact(
            int field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray) {
        return locate(field, KindId.ARRAY_OF_COMPACT) ? whole(items(newArray, in -> record(codec))) : null;
    }

    @Override
    public @Nullable GenericView readView(int field) {
        return locate(field, KindId.COMPACT) ? whole(view()) : null;
    }

    @Override
    public @Nullable GenericView @Nullable [] readArrayOfViews(int field) {
        return locate(field, KindId.ARRAY_OF_COMPACT) ? whole(items(GenericView[]::new, in -> view())) : null;
    }

    /** The record that begins here, with a reader of its own. */
    private GenericView view() {
        RecordReader inside = new RecordReader(resolver, bytes, depth);
        inside.openAny(position, limit);
        position = inside.end;
        return new GenericView(inside);
    }
}
