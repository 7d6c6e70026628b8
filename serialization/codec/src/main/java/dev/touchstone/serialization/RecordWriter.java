package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.KindId;
import dev.touchstone.serialization.layout.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Writes records, one after the other and one inside the other, into one buffer. */
final class RecordWriter extends OpenRecord implements CompactWriter {
    private int depth;
    private boolean busy;

    RecordWriter(Limits limits) {
        super(limits);
    }

    /** Whether a record is being written: by a codec that has come back to where it came from. */
    boolean isBusy() {
        return busy;
    }

    /** A record with what stands in front of it. */
    <T> byte[] write(CompactCodec<T> codec, T value) {
        busy = true;
        try {
            depth = 0;
            int at = out.reserve(RecordLayout.HEADER_BYTES);
            BigEndian.putInt64(out.buffer, at, RecordLayout.TYPE_COMPACT & RecordLayout.TYPE_MASK);
            record(codec, value);
            return out.toByteArray();
        } finally {
            busy = false;
            clear();
        }
    }

    private <T> void record(CompactCodec<T> codec, T value) {
        Schema outerSchema = schema;
        int outerSlots = slotBase;
        int outerStart = dataStart;
        int outerWritten = written;
        int level = ++depth;
        if (level > limits.maxDepth()) {
            throw new CompactLimitException("maxDepth", level, limits.maxDepth());
        }
        begin(codec.schema());
        codec.write(this, value);
        if (depth != level) {
            throw new IllegalStateException("a codec went on after a failure inside: type=" + schema.typeName());
        }
        end();
        depth = level - 1;
        slotTop = slotBase;
        slotBase = outerSlots;
        dataStart = outerStart;
        written = outerWritten;
        use(outerSchema);
    }

    @Override
    public int indexOf(String field) {
        int index = schema.indexOf(field);
        if (index < 0) {
            throw new CompactFieldException("not in the schema:", schema.typeName(), field);
        }
        return index;
    }

    @Override
    public void writeBoolean(int field, boolean value) {
        mark(field, KindId.BOOLEAN, WRITTEN);
        int place = places[field];
        out.buffer[dataStart + RecordLayout.byteOf(place)] |= (byte) ((value ? 1 : 0) << RecordLayout.bitOf(place));
    }

    @Override
    public void writeInt8(int field, byte value) {
        out.buffer[fixed(field, KindId.INT8)] = value;
    }

    @Override
    public void writeInt16(int field, short value) {
        BigEndian.putInt16(out.buffer, fixed(field, KindId.INT16), value);
    }

    @Override
    public void writeInt32(int field, int value) {
        BigEndian.putInt32(out.buffer, fixed(field, KindId.INT32), value);
    }

    @Override
    public void writeInt64(int field, long value) {
        BigEndian.putInt64(out.buffer, fixed(field, KindId.INT64), value);
    }

    @Override
    public void writeFloat32(int field, float value) {
        BigEndian.putFloat32(out.buffer, fixed(field, KindId.FLOAT32), value);
    }

    @Override
    public void writeFloat64(int field, double value) {
        BigEndian.putFloat64(out.buffer, fixed(field, KindId.FLOAT64), value);
    }

    @Override
    public void writeString(int field, @Nullable String value) {
        start(field, KindId.STRING, value);
        if (value != null) {
            out.string(value);
        }
    }

    @Override
    public void writeDecimal(int field, @Nullable BigDecimal value) {
        start(field, KindId.DECIMAL, value);
        if (value != null) {
            out.decimal(value);
        }
    }

    @Override
    public void writeTime(int field, @Nullable LocalTime value) {
        start(field, KindId.TIME, value);
        if (value != null) {
            out.time(value);
        }
    }

    @Override
    public void writeDate(int field, @Nullable LocalDate value) {
        start(field, KindId.DATE, value);
        if (value != null) {
            out.date(value);
        }
    }

    @Override
    public void writeTimestamp(int field, @Nullable LocalDateTime value) {
        start(field, KindId.TIMESTAMP, value);
        if (value != null) {
            out.timestamp(value);
        }
    }

    @Override
    public void writeTimestampWithTimezone(int field, @Nullable OffsetDateTime value) {
        start(field, KindId.TIMESTAMP_WITH_TIMEZONE, value);
        if (value != null) {
            out.timestampWithTimezone(value);
        }
    }

    @Override
    public void writeNullableBoolean(int field, @Nullable Boolean value) {
        start(field, KindId.NULLABLE_BOOLEAN, value);
        if (value != null) {
            out.bool(value);
        }
    }

    @Override
    public void writeNullableInt8(int field, @Nullable Byte value) {
        start(field, KindId.NULLABLE_INT8, value);
        if (value != null) {
            out.int8(value);
        }
    }

    @Override
    public void writeNullableInt16(int field, @Nullable Short value) {
        start(field, KindId.NULLABLE_INT16, value);
        if (value != null) {
            out.int16(value);
        }
    }

    @Override
    public void writeNullableInt32(int field, @Nullable Integer value) {
        start(field, KindId.NULLABLE_INT32, value);
        if (value != null) {
            out.int32(value);
        }
    }

    @Override
    public void writeNullableInt64(int field, @Nullable Long value) {
        start(field, KindId.NULLABLE_INT64, value);
        if (value != null) {
            out.int64(value);
        }
    }

    @Override
    public void writeNullableFloat32(int field, @Nullable Float value) {
        start(field, KindId.NULLABLE_FLOAT32, value);
        if (value != null) {
            out.float32(value);
        }
    }

    @Override
    public void writeNullableFloat64(int field, @Nullable Double value) {
        start(field, KindId.NULLABLE_FLOAT64, value);
        if (value != null) {
            out.float64(value);
        }
    }

    @Override
    public void writeArrayOfBoolean(int field, boolean @Nullable [] value) {
        start(field, KindId.ARRAY_OF_BOOLEAN, value);
        if (value != null) {
            checkItems(value.length);
            out.bools(value);
        }
    }

    @Override
    public void writeArrayOfInt8(int field, byte @Nullable [] value) {
        start(field, KindId.ARRAY_OF_INT8, value);
        if (value != null) {
            checkItems(value.length);
            out.bytes(value);
        }
    }

    @Override
    public void writeArrayOfInt16(int field, short @Nullable [] value) {
        start(field, KindId.ARRAY_OF_INT16, value);
        if (value != null) {
            checkItems(value.length);
            out.int16s(value);
        }
    }

    @Override
    public void writeArrayOfInt32(int field, int @Nullable [] value) {
        start(field, KindId.ARRAY_OF_INT32, value);
        if (value != null) {
            checkItems(value.length);
            out.int32s(value);
        }
    }

    @Override
    public void writeArrayOfInt64(int field, long @Nullable [] value) {
        start(field, KindId.ARRAY_OF_INT64, value);
        if (value != null) {
            checkItems(value.length);
            out.int64s(value);
        }
    }

    @Override
    public void writeArrayOfFloat32(int field, float @Nullable [] value) {
        start(field, KindId.ARRAY_OF_FLOAT32, value);
        if (value != null) {
            checkItems(value.length);
            out.float32s(value);
        }
    }

    @Override
    public void writeArrayOfFloat64(int field, double @Nullable [] value) {
        start(field, KindId.ARRAY_OF_FLOAT64, value);
        if (value != null) {
            checkItems(value.length);
            out.float64s(value);
        }
    }

    @Override
    public void writeArrayOfString(int field, @Nullable String @Nullable [] value) {
        items(field, KindId.ARRAY_OF_STRING, value, Output::string);
    }

    @Override
    public void writeArrayOfDecimal(int field, @Nullable BigDecimal @Nullable [] value) {
        items(field, KindId.ARRAY_OF_DECIMAL, value, Output::decimal);
    }

    @Override
    public void writeArrayOfTime(int field, @Nullable LocalTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIME, value, Output::time);
    }

    @Override
    public void writeArrayOfDate(int field, @Nullable LocalDate @Nullable [] value) {
        items(field, KindId.ARRAY_OF_DATE, value, Output::date);
    }

    @Override
    public void writeArrayOfTimestamp(int field, @Nullable LocalDateTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIMESTAMP, value, Output::timestamp);
    }

    @Override
    public void writeArrayOfTimestampWithTimezone(int field, @Nullable OffsetDateTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE, value, Output::timestampWithTimezone);
    }

    @Override
    public void writeArrayOfNullableBoolean(int field, @Nullable Boolean @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_BOOLEAN, value, Output::bool);
    }

    @Override
    public void writeArrayOfNullableInt8(int field, @Nullable Byte @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT8, value, Output::int8);
    }

    @Override
    public void writeArrayOfNullableInt16(int field, @Nullable Short @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT16, value, Output::int16);
    }

    @Override
    public void writeArrayOfNullableInt32(int field, @Nullable Integer @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT32, value, Output::int32);
    }

    @Override
    public void writeArrayOfNullableInt64(int field, @Nullable Long @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT64, value, Output::int64);
    }

    @Override
    public void writeArrayOfNullableFloat32(int field, @Nullable Float @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_FLOAT32, value, Output::float32);
    }

    @Override
    public void writeArrayOfNullableFloat64(int field, @Nullable Double @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_FLOAT64, value, Output::float64);
    }

    @Override
    public <T> void writeCompact(int field, @Nullable T value, CompactCodec<T> codec) {
        start(field, KindId.COMPACT, value);
        if (value != null) {
            record(codec, value);
        }
    }

    @Override
    public <T> void writeArrayOfCompact(int field, @Nullable T @Nullable [] value, CompactCodec<T> codec) {
        items(field, KindId.ARRAY_OF_COMPACT, value, (output, item) -> record(codec, item));
    }
}
