package dev.touchstone.builds.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the JSON document that asks for a job. Stateless. */
final class JobForm {
    private static final int MAX_TOKENS = 16_384; // 1,000 variables and as many secrets have 4,000
    private static final int MAX_DEPTH = 8;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MAX_TOKENS)
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Map<String, Setter> FIELDS = new LinkedHashMap<>();
    private static final List<String> REQUIRED = List.of("repository", "branch", "script");

    static {
        REQUIRED.forEach(name -> FIELDS.put(name, (builder, value) -> {})); // the builder begins with these
        FIELDS.put("commit", (builder, value) -> builder.commit(text(value)));
        FIELDS.put("runner", (builder, value) -> builder.runner(text(value)));
        FIELDS.put("label", (builder, value) -> builder.label(text(value)));
        FIELDS.put("environment", (builder, value) -> builder.environment(texts(value)));
        FIELDS.put("secrets", (builder, value) -> texts(value).forEach(builder::secret));
        FIELDS.put("output", (builder, value) -> builder.output(output(text(value))));
        FIELDS.put("timeoutSeconds", (builder, value) -> builder.timeout(Duration.ofSeconds(number(value))));
        FIELDS.put("queueTimeoutSeconds", (builder, value) -> builder.queueTimeout(Duration.ofSeconds(number(value))));
        FIELDS.put("maxLogBytes", (builder, value) -> builder.maxLogBytes(number(value)));
    }

    /** Writes the value of a field into a request. */
    private interface Setter {
        /**
         * Sets the field.
         *
         * @throws IllegalArgumentException if the value cannot be one
         */
        void set(BuildRequest.Builder builder, JsonNode value);
    }

    private JobForm() {}

    /** Returns the names of the fields. */
    static Set<String> fields() {
        return FIELDS.keySet();
    }

    /**
     * Returns the request that a document describes.
     *
     * @param body JSON in UTF-8; not null
     * @throws Problem if it is no such document; values of variables are not in it
     */
    static BuildRequest read(byte[] body) throws Problem {
        JsonNode root = parse(body);
        if (!root.isObject()) {
            throw Problem.of(400, "expected a JSON object, got " + kind(root), Problem.Place.BODY, "/");
        }
        Map<String, JsonNode> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            check(field.getKey(), field.getValue());
            values.put(field.getKey(), field.getValue());
        }
        for (String name : REQUIRED) {
            if (!values.containsKey(name)) {
                throw Problem.of(400, "field is missing", Problem.Place.BODY, "/" + name);
            }
        }
        try {
            return request(values);
        } catch (IllegalArgumentException e) {
            throw Problem.of(400, String.valueOf(e.getMessage()), Problem.Place.BODY, "/");
        }
    }

    private static BuildRequest request(Map<String, JsonNode> values) {
        BuildRequest.Builder builder =
                BuildRequest.of(text(values, "repository"), text(values, "branch"), text(values, "script"));
        values.forEach((name, value) -> setter(name).set(builder, value));
        return builder.build();
    }

    private static Setter setter(String name) {
        Setter setter = FIELDS.get(name);
        if (setter == null) {
            throw new IllegalArgumentException("no such field: expected one of " + FIELDS.keySet());
        }
        return setter;
    }

    /** Returns a text that a request begins with; one that can stand there if it is missing. */
    private static String text(Map<String, JsonNode> values, String name) {
        JsonNode value = values.get(name);
        return value == null ? name : text(value);
    }

    /** Checks a field alone, so that a problem names it. */
    private static void check(String name, JsonNode value) throws Problem {
        try {
            BuildRequest unused = request(Map.of(name, value));
        } catch (IllegalArgumentException e) {
            String detail = String.valueOf(e.getMessage());
            boolean isSecret = value.isContainerNode() || name.equals("secrets") || name.equals("environment");
            throw isSecret
                    ? Problem.of(400, detail, Problem.Place.BODY, "/" + name)
                    : Problem.of(400, detail, Problem.Place.BODY, "/" + name, value.asText());
        }
    }

    private static JsonNode parse(byte[] body) throws Problem {
        try {
            return MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation(); // the message may repeat a secret
            String where = at == null ? "" : ": line=" + at.getLineNr() + " column=" + at.getColumnNr();
            throw Problem.of(
                    400,
                    "not one JSON document, or a name stands twice, or too many or too deep values" + where,
                    Problem.Place.BODY,
                    "/");
        } catch (IOException e) {
            throw Problem.of(400, "not a JSON document in UTF-8", Problem.Place.BODY, "/");
        }
    }

    private static String kind(JsonNode value) {
        return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static String text(JsonNode value) {
        if (!value.isTextual()) {
            throw new IllegalArgumentException("expected a string, got " + kind(value));
        }
        return value.textValue();
    }

    private static long number(JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("expected a whole number of 64 bits, got " + kind(value));
        }
        return value.longValue();
    }

    private static Map<String, String> texts(JsonNode value) {
        if (!value.isObject()) {
            throw new IllegalArgumentException("expected an object with a string for each name, got " + kind(value));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        value.properties().forEach(entry -> {
            if (!entry.getValue().isTextual()) {
                throw new IllegalArgumentException(
                        "expected a string, got " + kind(entry.getValue()) + ": name=" + Problem.shown(entry.getKey()));
            }
            texts.put(entry.getKey(), entry.getValue().textValue());
        });
        return texts;
    }

    private static OutputMode output(String word) {
        for (OutputMode mode : OutputMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("expected discard, stream, files or redis");
    }
}
