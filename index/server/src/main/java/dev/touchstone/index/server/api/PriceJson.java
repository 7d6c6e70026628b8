package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.UnknownFieldException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Methods that write a price as JSON and read it. */
final class PriceJson {
    static final String ID = "id";
    static final String OFFERING = "offering";
    private static final String CONDITIONS = "conditions";
    private static final String VALUE = "value";
    private static final String CURRENCY = "currency";
    private static final String DEFAULT = "default";
    private static final String PAYLOAD = "payload";
    private static final Set<String> NAMES = Set.of(ID, OFFERING, CONDITIONS, VALUE, CURRENCY, DEFAULT, PAYLOAD);

    private PriceJson() {}

    static void write(Price price, PriceIndex index, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(ID, price.id());
        json.writeStringField(OFFERING, price.offering());
        json.writeObjectFieldStart(CONDITIONS);
        for (Field field : index.fields()) {
            Object value = price.conditions().get(field.name());
            if (value instanceof Long number) {
                json.writeNumberField(field.name(), number);
            } else if (value instanceof BigDecimal number) {
                decimal(field.name(), number, json);
            } else if (value != null) {
                json.writeStringField(field.name(), value.toString());
            }
        }
        json.writeEndObject();
        decimal(VALUE, price.value(), json);
        json.writeStringField(CURRENCY, price.currency());
        json.writeBooleanField(DEFAULT, price.isDefault());
        if (price.payload() != null) {
            json.writeStringField(PAYLOAD, price.payload());
        }
        json.writeEndObject();
    }

    private static void decimal(String name, BigDecimal number, JsonGenerator json) throws IOException {
        json.writeFieldName(name);
        json.writeNumber(number.toPlainString()); // has at most 18 digits
    }

    /**
     * Reads a price.
     *
     * @param path path of the price in the request, for messages
     */
    static Price read(JsonNode node, PriceIndex index, String path) throws RequestException {
        Shape.object(node, path, NAMES);
        JsonNode conditions = node.get(CONDITIONS);
        Map<String, Object> values = new HashMap<>();
        if (conditions != null && !conditions.isNull()) {
            String at = Shape.path(path, CONDITIONS);
            if (!conditions.isObject()) {
                throw Shape.bad(at, "an object is expected");
            }
            for (Map.Entry<String, JsonNode> condition : conditions.properties()) {
                condition(condition.getKey(), condition.getValue(), index, at, values);
            }
        }
        String currency = Shape.text(node, CURRENCY, path);
        try {
            return new Price(
                    Shape.needed(node, ID, path),
                    Shape.needed(node, OFFERING, path),
                    values,
                    value(node, path),
                    currency == null ? "" : currency,
                    isDefault(node, path),
                    Shape.text(node, PAYLOAD, path));
        } catch (InvalidValueException e) {
            throw Shape.unfit(path, String.valueOf(e.getMessage()));
        }
    }

    private static void condition(
            String name, JsonNode value, PriceIndex index, String path, Map<String, Object> values)
            throws RequestException {
        Field field;
        try {
            field = index.field(name);
        } catch (UnknownFieldException e) {
            throw Shape.unfit(path, String.valueOf(e.getMessage()));
        }
        if (value.isNull()) {
            return;
        }
        values.put(name, Shape.value(value, field, Shape.path(path, Shape.shown(name))));
    }

    private static BigDecimal value(JsonNode node, String path) throws RequestException {
        JsonNode value = node.get(VALUE);
        String at = Shape.path(path, VALUE);
        if (value == null || (!value.isNumber() && !value.isTextual())) {
            throw Shape.bad(at, "a number is expected");
        }
        try {
            return (BigDecimal) FieldType.DECIMAL.parse(value.asText());
        } catch (InvalidValueException e) {
            throw Shape.unfit(at, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isDefault(JsonNode node, String path) throws RequestException {
        JsonNode value = node.get(DEFAULT);
        if (value == null || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw Shape.bad(Shape.path(path, DEFAULT), "true or false is expected");
        }
        return value.booleanValue();
    }
}
