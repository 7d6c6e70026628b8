package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.Schema;
import java.io.IOException;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * A record as JSON: type, schema's id, and fields by name. Whole numbers and fractions are numbers, but NaN and the infinities are strings,
 * and so are decimals, which few readers of JSON keep whole, and times, as ISO 8601 has them.
 */
final class RecordJson {
    private final JsonGenerator json;

    RecordJson(JsonGenerator json) {
        this.json = json;
    }

    void write(GenericView view) throws IOException {
        Schema schema = view.schema();
        json.writeStartObject();
        json.writeStringField("type", schema.typeName());
        json.writeStringField("schema", Texts.id(schema.id()));
        json.writeObjectFieldStart("fields");
        for (int i = 0; i < schema.fields().size(); i++) {
            FieldDescriptor field = schema.field(i);
            json.writeFieldName(field.name());
            value(view.value(i));
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void value(@Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof GenericView view) {
            write(view);
        } else if (value.getClass().isArray()) {
            json.writeStartArray();
            for (int i = 0; i < Array.getLength(value); i++) {
                value(Array.get(value, i));
            }
            json.writeEndArray();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Float number) {
            json.writeNumber(number);
        } else if (value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else {
            json.writeString(value.toString());
        }
    }
}
