package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A view of one record of any type, which reads fields by the schema of the record and needs no codec. A field is read from the bytes each time it is
 * asked for, so the bytes must not change. Not thread-safe.
 */
public final class GenericView {
    private final RecordReader reader;

    GenericView(RecordReader reader) {
        this.reader = reader;
    }

    /**
     * Returns the schema of the record.
     *
     * @return schema by which the record was written
     */
    public Schema schema() {
        return reader.schema();
    }

    /**
     * Returns a reader of the same record, with a method for each kind of field: it does not box numbers, and reads records inside by a codec.
     *
     * @return the reader, which may be kept
     */
    public CompactReader reader() {
        return reader;
    }

    /**
     * Returns the value of a field: a boxed number or boolean, an object, an array as {@link CompactReader} returns it, or a view of a record inside
     * this one.
     *
     * @param field name of the field
     * @return the value, or null
     * @throws CompactFieldException if the record has no such field
     * @throws CompactFormatException if the bytes of the value are damaged
     */
    public @Nullable Object value(String field) {
        return value(reader.indexOf(field));
    }

    /**
     * Returns the value of a field, like {@link #value(String)}.
     *
     * @param field index of the field in the schema of the record
     * @return the value, or null
     * @throws IndexOutOfBoundsException if the schema has no such field
     * @throws CompactFormatException if the bytes of the value are damaged
     */
    public @Nullable Object value(int field) {
        CompactReader in = reader;
        return switch (schema().field(field).kind()) {
            case BOOLEAN -> in.readBoolean(field);
            case INT8 -> in.readInt8(field);
            case INT16 -> in.readInt16(field);
            case INT32 -> in.readInt32(field);
            case INT64 -> in.readInt64(field);
            case FLOAT32 -> in.readFloat32(field);
            case FLOAT64 -> in.readFloat64(field);
            case STRING -> in.readString(field);
            case DECIMAL -> in.readDecimal(field);
            case TIME -> in.readTime(field);
            case DATE -> in.readDate(field);
            case TIMESTAMP -> in.readTimestamp(field);
            case TIMESTAMP_WITH_TIMEZONE -> in.readTimestampWithTimezone(field);
            case COMPACT -> in.readView(field);
            case NULLABLE_BOOLEAN -> in.readNullableBoolean(field);
            case NULLABLE_INT8 -> in.readNullableInt8(field);
            case NULLABLE_INT16 -> in.readNullableInt16(field);
            case NULLABLE_INT32 -> in.readNullableInt32(field);
            case NULLABLE_INT64 -> in.readNullableInt64(field);
            case NULLABLE_FLOAT32 -> in.readNullableFloat32(field);
            case NULLABLE_FLOAT64 -> in.readNullableFloat64(field);
            case ARRAY_OF_BOOLEAN -> in.readArrayOfBoolean(field);
            case ARRAY_OF_INT8 -> in.readArrayOfInt8(field);
            case ARRAY_OF_INT16 -> in.readArrayOfInt16(field);
            case ARRAY_OF_INT32 -> in.readArrayOfInt32(field);
            case ARRAY_OF_INT64 -> in.readArrayOfInt64(field);
            case ARRAY_OF_FLOAT32 -> in.readArrayOfFloat32(field);
            case ARRAY_OF_FLOAT64 -> in.readArrayOfFloat64(field);
            case ARRAY_OF_STRING -> in.readArrayOfString(field);
            case ARRAY_OF_DECIMAL -> in.readArrayOfDecimal(field);
            case ARRAY_OF_TIME -> in.readArrayOfTime(field);
            case ARRAY_OF_DATE -> in.readArrayOfDate(field);
            case ARRAY_OF_TIMESTAMP -> in.readArrayOfTimestamp(field);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE -> in.readArrayOfTimestampWithTimezone(field);
            case ARRAY_OF_COMPACT -> in.readArrayOfViews(field);
            case ARRAY_OF_NULLABLE_BOOLEAN -> in.readArrayOfNullableBoolean(field);
            case ARRAY_OF_NULLABLE_INT8 -> in.readArrayOfNullableInt8(field);
            case ARRAY_OF_NULLABLE_INT16 -> in.readArrayOfNullableInt16(field);
            case ARRAY_OF_NULLABLE_INT32 -> in.readArrayOfNullableInt32(field);
            case ARRAY_OF_NULLABLE_INT64 -> in.readArrayOfNullableInt64(field);
            case ARRAY_OF_NULLABLE_FLOAT32 -> in.readArrayOfNullableFloat32(field);
            case ARRAY_OF_NULLABLE_FLOAT64 -> in.readArrayOfNullableFloat64(field);
        };
    }

    /**
     * Returns type, fields and values, for people.
     *
     * @return text of the record
     * @throws CompactFormatException if the bytes are damaged
     */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", schema().typeName() + "{", "}");
        for (int field = 0; field < schema().fields().size(); field++) {
            FieldDescriptor descriptor = schema().field(field);
            text.add(descriptor.name() + "=" + text(value(field)));
        }
        return text.toString();
    }

    private static String text(@Nullable Object value) {
        String inArray = Arrays.deepToString(new @Nullable Object[] {value});
        return inArray.substring(1, inArray.length() - 1);
    }
}
