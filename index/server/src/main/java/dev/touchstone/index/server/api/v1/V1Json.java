package dev.touchstone.index.server.api.v1;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.FieldNames;
import dev.touchstone.index.server.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of any request of version 1. Unknown names are skipped, the last of several equal names counts, and a text that is empty or null adds no
 * condition. For one thread.
 */
final class V1Json {
    static final String OFFERING_ID = "offeringId";
    static final String GROUP_ID = "groupId";
    static final String SPEC_ID = "priceSpecId";
    static final String CHAR_VALUES = "charValues";
    static final String CHAR = "char";
    static final String VALUE = "value";
    static final String ID = "id";

    private final PriceIndex index;
    private final int mostConditions;
    private final List<String> chars = new ArrayList<>(); // names and values, alternately
    private @Nullable String offering;
    private @Nullable String group;
    private @Nullable String spec;
    private String id = "null";

    V1Json(PriceIndex index, int mostConditions) {
        this.index = index;
        this.mostConditions = mostConditions;
    }

    /** Returns the id of a bulk item as JSON text; {@code null} as text if it has none. */
    String id() {
        return id;
    }

    /** Reads the object at whose begin a parser is. */
    void read(JsonParser parser) throws IOException, RequestException {
        chars.clear();
        offering = null;
        group = null;
        spec = null;
        id = "null";
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw Json.bad("a JSON object is expected", parser);
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case OFFERING_ID -> offering = text(name, parser);
                case GROUP_ID -> group = text(name, parser);
                case SPEC_ID -> spec = text(name, parser);
                case CHAR_VALUES -> values(parser);
                case ID -> id(parser);
                default -> parser.skipChildren();
            }
        }
    }

    private void id(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            Response quoted = new Response();
            quoted.json(parser.getText());
            id = new String(quoted.bytes(), 0, quoted.size(), StandardCharsets.UTF_8);
        } else if (parser.currentToken().isScalarValue()) {
            id = parser.getText();
        } else {
            parser.skipChildren();
        }
    }

    private static @Nullable String text(String name, JsonParser parser) throws IOException, RequestException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> null;
            default -> throw Json.bad("a string is expected: name=" + name, parser);
        };
    }

    private void values(JsonParser parser) throws IOException, RequestException {
        chars.clear();
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw Json.bad("a list is expected: name=" + CHAR_VALUES, parser);
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw Json.bad("an object with char and value is expected", parser);
            }
            if (chars.size() >= 2 * mostConditions) {
                throw Json.bad("more than " + mostConditions + " conditions", parser);
            }
            String charName = null;
            String value = null;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case CHAR -> charName = text(name, parser);
                    case VALUE -> value = text(name, parser);
                    default -> parser.skipChildren();
                }
            }
            chars.add(charName == null ? "" : charName);
            chars.add(value == null ? "" : value);
        }
    }

    /** Adds the offering and conditions that were read to a query. */
    void apply(PriceQuery query) throws RequestException {
        if (offering != null && !offering.isEmpty()) {
            query.offering(offering);
        }
        try {
            for (int i = 0; i < chars.size(); i += 2) {
                condition(index.field(chars.get(i)), chars.get(i + 1), query);
            }
            named(FieldNames.GROUP, group, query);
            named(FieldNames.SPEC, spec, query);
        } catch (UnknownFieldException | InvalidValueException e) {
            throw new RequestException(RequestException.NONE, String.valueOf(e.getMessage()));
        }
    }

    private void named(String name, @Nullable String value, PriceQuery query) {
        if (value != null && !value.isEmpty()) {
            condition(index.field(name), value, query);
        }
    }

    private static void condition(Field field, String value, PriceQuery query) {
        query.eq(field, field.type() == FieldType.STRING ? value : field.type().parse(value));
    }
}
