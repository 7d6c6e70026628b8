package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.Schema;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writer of one record as a JSON object. Not thread-safe. */
final class RecordPrinter {
    /** Bits in a decimal digit, rounded down, so that a limit is never met too early. */
    private static final int DIGIT_BITS = 3;

    private final KnownTypes types;
    private final JsonGenerator json;
    private final JsonPath path = new JsonPath();

    RecordPrinter(KnownTypes types, JsonGenerator json) {
        this.types = types;
        this.json = json;
    }

    void print(GenericView view) throws IOException {
        Schema schema = view.schema();
        json.writeStartObject();
        json.writeStringField(MemberNames.TYPE, schema.typeName());
        if (!types.isNewest(schema)) {
            json.writeStringField(MemberNames.SCHEMA_ID, HexFormat.of().toHexDigits(schema.id()));
        }
        for (int i = 0; i < schema.fields().size(); i++) {
            String name = schema.field(i).name();
            path.enter(name);
            json.writeFieldName(MemberNames.ofField(name));
            value(view.value(i));
            path.leave();
        }
        json.writeEndObject();
    }

    private void value(@Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof GenericView view) {
            print(view);
        } else if (value instanceof byte[] bytes) {
            json.writeString(Base64.getEncoder().encodeToString(bytes));
        } else if (value.getClass().isArray()) {
            items(value);
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Float number) {
            json.writeNumber(number);
        } else if (value instanceof BigDecimal decimal) {
            json.writeString(text(decimal));
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(value.toString()); // strings, and times in their form by ISO 8601
        }
    }

    private void items(Object array) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < Array.getLength(array); i++) {
            path.enter(i);
            value(Array.get(array, i));
            path.leave();
        }
        json.writeEndArray();
    }

    private String text(BigDecimal decimal) {
        int bits = decimal.unscaledValue().bitLength();
        String text = bits / DIGIT_BITS > 2 * JsonScalars.MAX_DECIMAL_CHARS ? "" : decimal.toString();
        if (text.isEmpty() || text.length() > JsonScalars.MAX_DECIMAL_CHARS) {
            throw new CompactJsonException(
                    Reason.LIMIT,
                    "decimal is too long: bits=" + bits + " allowed chars=" + JsonScalars.MAX_DECIMAL_CHARS,
                    path.toString(),
                    CompactJsonException.NO_PLACE,
                    CompactJsonException.NO_PLACE);
        }
        return text;
    }
}
