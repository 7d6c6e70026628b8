package dev.touchstone.serialization.json;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Writes the fields of parsed records of one schema, in the order of their names. */
record ParsedRecordCodec(Schema schema) implements CompactCodec<ParsedRecord> {
    @Override
    public Class<ParsedRecord> type() {
        return ParsedRecord.class;
    }

    @Override
    public void write(CompactWriter writer, ParsedRecord record) {
        for (int field = 0; field < record.values().length; field++) {
            write(writer, field, record.values()[field]);
        }
    }

    /** Writes the value of one field. */
    void write(CompactWriter writer, int field, @Nullable Object value) {
        if (schema.field(field).kind().isFixed()) {
            fixed(writer, field, requireNonNull(value));
        } else if (schema.field(field).kind().isArray()) {
            array(writer, field, value);
        } else {
            nullable(writer, field, value);
        }
    }

    private void fixed(CompactWriter writer, int field, Object value) {
        switch (schema.field(field).kind()) {
            case BOOLEAN -> writer.writeBoolean(field, (Boolean) value);
            case INT8 -> writer.writeInt8(field, (Byte) value);
            case INT16 -> writer.writeInt16(field, (Short) value);
            case INT32 -> writer.writeInt32(field, (Integer) value);
            case INT64 -> writer.writeInt64(field, (Long) value);
            case FLOAT32 -> writer.writeFloat32(field, (Float) value);
            case FLOAT64 -> writer.writeFloat64(field, (Double) value);
            default -> throw unknown(field);
        }
    }

    private void nullable(CompactWriter writer, int field, @Nullable Object value) {
        switch (schema.field(field).kind()) {
            case STRING -> writer.writeString(field, (String) value);
            case DECIMAL -> writer.writeDecimal(field, (BigDecimal) value);
            case TIME -> writer.writeTime(field, (LocalTime) value);
            case DATE -> writer.writeDate(field, (LocalDate) value);
            case TIMESTAMP -> writer.writeTimestamp(field, (LocalDateTime) value);
            case TIMESTAMP_WITH_TIMEZONE -> writer.writeTimestampWithTimezone(field, (OffsetDateTime) value);
            case COMPACT -> {
                ParsedRecord inside = (ParsedRecord) value;
                writer.writeCompact(field, inside, inside == null ? this : new ParsedRecordCodec(inside.schema()));
            }
            case NULLABLE_BOOLEAN -> writer.writeNullableBoolean(field, (Boolean) value);
            case NULLABLE_INT8 -> writer.writeNullableInt8(field, (Byte) value);
            case NULLABLE_INT16 -> writer.writeNullableInt16(field, (Short) value);
            case NULLABLE_INT32 -> writer.writeNullableInt32(field, (Integer) value);
            case NULLABLE_INT64 -> writer.writeNullableInt64(field, (Long) value);
            case NULLABLE_FLOAT32 -> writer.writeNullableFloat32(field, (Float) value);
            case NULLABLE_FLOAT64 -> writer.writeNullableFloat64(field, (Double) value);
            default -> throw unknown(field);
        }
    }

    private void array(CompactWriter writer, int field, @Nullable Object value) {
        switch (schema.field(field).kind()) {
            case ARRAY_OF_BOOLEAN -> writer.writeArrayOfBoolean(field, (boolean[]) value);
            case ARRAY_OF_INT8 -> writer.writeArrayOfInt8(field, (byte[]) value);
            case ARRAY_OF_INT16 -> writer.writeArrayOfInt16(field, (short[]) value);
            case ARRAY_OF_INT32 -> writer.writeArrayOfInt32(field, (int[]) value);
            case ARRAY_OF_INT64 -> writer.writeArrayOfInt64(field, (long[]) value);
            case ARRAY_OF_FLOAT32 -> writer.writeArrayOfFloat32(field, (float[]) value);
            case ARRAY_OF_FLOAT64 -> writer.writeArrayOfFloat64(field, (double[]) value);
            case ARRAY_OF_STRING -> writer.writeArrayOfString(field, (@Nullable String[]) value);
            case ARRAY_OF_DECIMAL -> writer.writeArrayOfDecimal(field, (@Nullable BigDecimal[]) value);
            case ARRAY_OF_TIME -> writer.writeArrayOfTime(field, (@Nullable LocalTime[]) value);
            case ARRAY_OF_DATE -> writer.writeArrayOfDate(field, (@Nullable LocalDate[]) value);
            case ARRAY_OF_TIMESTAMP -> writer.writeArrayOfTimestamp(field, (@Nullable LocalDateTime[]) value);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE ->
                writer.writeArrayOfTimestampWithTimezone(field, (@Nullable OffsetDateTime[]) value);
            case ARRAY_OF_COMPACT -> {
                @Nullable ParsedRecord[] inside = (@Nullable ParsedRecord[]) value;
                writer.writeArrayOfCompact(field, inside, codec(inside));
            }
            case ARRAY_OF_NULLABLE_BOOLEAN -> writer.writeArrayOfNullableBoolean(field, (@Nullable Boolean[]) value);
            case ARRAY_OF_NULLABLE_INT8 -> writer.writeArrayOfNullableInt8(field, (@Nullable Byte[]) value);
            case ARRAY_OF_NULLABLE_INT16 -> writer.writeArrayOfNullableInt16(field, (@Nullable Short[]) value);
            case ARRAY_OF_NULLABLE_INT32 -> writer.writeArrayOfNullableInt32(field, (@Nullable Integer[]) value);
            case ARRAY_OF_NULLABLE_INT64 -> writer.writeArrayOfNullableInt64(field, (@Nullable Long[]) value);
            case ARRAY_OF_NULLABLE_FLOAT32 -> writer.writeArrayOfNullableFloat32(field, (@Nullable Float[]) value);
            case ARRAY_OF_NULLABLE_FLOAT64 -> writer.writeArrayOfNullableFloat64(field, (@Nullable Double[]) value);
            default -> throw unknown(field);
        }
    }

    /** Returns the codec of the first record, whose schema is that of all others too. */
    private ParsedRecordCodec codec(@Nullable ParsedRecord @Nullable [] records) {
        if (records != null) {
            for (ParsedRecord each : records) {
                if (each != null) {
                    return new ParsedRecordCodec(each.schema());
                }
            }
        }
        return this;
    }

    private IllegalStateException unknown(int field) {
        return new IllegalStateException("kind is not written here: field=" + schema.field(field));
    }

    @Override
    public ParsedRecord read(CompactReader reader) {
        throw new UnsupportedOperationException("records are only written by this codec");
    }
}
