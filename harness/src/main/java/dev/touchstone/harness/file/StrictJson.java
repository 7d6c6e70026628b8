package dev.touchstone.harness.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON and back, refusing whatever is not exactly the record: unknown and missing components, duplicate names, nulls, numbers that
 * are not finite, text after the end, and nesting or names beyond any use. Thread-safe.
 */
public final class StrictJson {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_NUMBER_CHARS = 100;
    private static final int MAX_STRING_CHARS = 1 << 20;
    private static final int MAX_NAME_CHARS = 1_000;

    private static final JsonMapper MAPPER = mapper();
    private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

    private StrictJson() {}

    /**
     * Reads one record.
     *
     * @param <T> type of the record
     * @param json the whole text
     * @param type class of the record
     * @param nullable components that may be missing or null, as {@code Record.component}
     * @return the record, with no null but in nullable components
     * @throws JsonProblem if the text is not exactly such a record; its message says where
     */
    public static <T extends Record> T read(String json, Class<T> type, Set<String> nullable) throws JsonProblem {
        T value = parse(json, parser -> MAPPER.readValue(parser, type));
        if (value == null) {
            throw new JsonProblem("expected an object, got null");
        }
        RecordChecks.check(value, nullable);
        return value;
    }

    /**
     * Reads one record with a component {@code schema}. Another version is refused as such, not for what differs in it.
     *
     * @param <T> type of the record
     * @param json the whole text
     * @param type class of the record
     * @param nullable components that may be missing or null, as {@code Record.component}
     * @param schema the only accepted version
     * @return the record, with no null but in nullable components
     * @throws JsonProblem if the version is another, or the text is not exactly such a record; its message says where
     */
    public static <T extends Record> T read(String json, Class<T> type, Set<String> nullable, int schema)
            throws JsonProblem {
        JsonNode tree = parse(json, parser -> MAPPER.<JsonNode>readTree(parser));
        JsonNode found = tree == null ? MissingNode.getInstance() : tree.path("schema");
        if (!found.isInt() || found.intValue() != schema) {
            throw new JsonProblem(
                    "schema: expected " + schema + ", got " + (found.isMissingNode() ? "none" : found.toString()));
        }
        return read(json, type, nullable);
    }

    private static <T> @Nullable T parse(String json, Parse<T> parse) throws JsonProblem {
        try (JsonParser parser = MAPPER.createParser(json)) {
            try {
                return parse.from(parser);
            } catch (JsonProcessingException e) {
                // An exceeded limit doesn't say where.
                JsonLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
                throw new JsonProblem(describe(e, at));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no reading from memory fails
        }
    }

    /**
     * Writes a value as JSON on one line.
     *
     * @param value a record, or what Jackson can write
     * @return the text, without a line break at its end
     * @throws IllegalArgumentException if Jackson cannot write the value
     */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not writable as JSON: " + value.getClass().getName(), e);
        }
    }

    /**
     * Writes a value as indented JSON, for files that people read.
     *
     * @param value a record, or what Jackson can write
     * @return the text, with a line break at its end
     * @throws IllegalArgumentException if Jackson cannot write the value
     */
    public static String pretty(Object value) {
        try {
            return PRETTY.writeValueAsString(value) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not writable as JSON: " + value.getClass().getName(), e);
        }
    }

    private static String describe(JsonProcessingException e, @Nullable JsonLocation at) {
        StringBuilder text = new StringBuilder();
        if (at != null) {
            text.append("line ")
                    .append(at.getLineNr())
                    .append(" column ")
                    .append(at.getColumnNr())
                    .append(": ");
        }
        if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
            text.append(path(mapping)).append(": ");
        }
        return text.append(plain(e)).toString();
    }

    /** The binder's message without its advice to programmers. */
    private static String plain(JsonProcessingException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "unknown field '" + unknown.getPropertyName() + "'";
        }
        String message = e.getOriginalMessage();
        if (message.startsWith("Cannot map `null`")) {
            return "expected a value, got none";
        }
        return message.replaceFirst("( \\(set |: enable | \\(start marker ).*", "")
                .replaceFirst(", from `[^`]*`", "");
    }

    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    private static JsonMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNumberLength(MAX_NUMBER_CHARS)
                        .maxStringLength(MAX_STRING_CHARS)
                        .maxNameLength(MAX_NAME_CHARS)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .enable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .build();
    }

    private interface Parse<T> {
        @Nullable
        T from(JsonParser parser) throws IOException;
    }
}
