package dev.touchstone.index.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of an OpenAPI document: checks values, and makes values that a schema accepts or refuses. Fails for a keyword that it does not know.
 * Not thread-safe.
 */
final class JsonSchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<String> NOTES = Set.of("description", "examples", "default", "$ref");
    private static final List<String> CHARACTERS = List.of(
            "a",
            "B",
            "7",
            " ",
            "\"",
            "\\",
            "/",
            "\n",
            "\u0000",
            "\u007f",
            "\u00e9",
            "\u0416",
            "\u732b",
            "\ud83d\ude00",
            "\u0301");
    private static final int TRIES = 200;

    private final JsonNode document;
    private final Random random;
    private final List<String> words;

    /**
     * Creates the schemas of a document.
     *
     * @param words strings that values should often have
     */
    JsonSchema(JsonNode document, Random random, List<String> words) {
        this.document = document;
        this.random = random;
        this.words = words;
    }

    /** Returns a schema or another part of the document, by following its references. */
    JsonNode resolved(JsonNode part) {
        JsonNode at = part;
        while (at.has("$ref")) {
            at = document.at(at.get("$ref").textValue().substring(1));
        }
        return at;
    }

    /** Returns the keywords of a schema that a value breaks, each with the path of the part; empty if the schema accepts the value. */
    List<String> faults(JsonNode schema, JsonNode value) {
        List<String> faults = new ArrayList<>();
        check(schema, value, "$", faults);
        return faults;
    }

    private void check(JsonNode reference, JsonNode value, String path, List<String> faults) {
        JsonNode schema = resolved(reference);
        for (Map.Entry<String, JsonNode> rule : schema.properties()) {
            String keyword = rule.getKey();
            if (!NOTES.contains(keyword) && !holds(keyword, rule.getValue(), schema, value, path, faults)) {
                faults.add(keyword + " at " + path);
            }
        }
    }

    /** Returns whether a value keeps a rule. Faults of parts of the value are added to {@code faults} instead. */
    private boolean holds(
            String keyword, JsonNode rule, JsonNode schema, JsonNode value, String path, List<String> faults) {
        return switch (keyword) {
            case "type" -> types(rule).stream().anyMatch(type -> isOfType(type, value));
            case "enum" -> contains(rule, value);
            case "not" -> !faults(rule, value).isEmpty();
            case "anyOf" -> matches(rule, value, faults) > 0;
            case "oneOf" -> matches(rule, value, faults) == 1;
            case "pattern" -> !value.isTextual() || isLike(rule.textValue(), value.textValue());
            case "minLength" -> !value.isTextual() || length(value) >= rule.intValue();
            case "maxLength" -> !value.isTextual() || length(value) <= rule.intValue();
            case "minimum" -> !value.isNumber() || value.decimalValue().compareTo(rule.decimalValue()) >= 0;
            case "maximum" -> !value.isNumber() || value.decimalValue().compareTo(rule.decimalValue()) <= 0;
            case "exclusiveMinimum" -> !value.isNumber() || value.decimalValue().compareTo(rule.decimalValue()) > 0;
            case "exclusiveMaximum" -> !value.isNumber() || value.decimalValue().compareTo(rule.decimalValue()) < 0;
            case "multipleOf" -> !value.isNumber() || isMultiple(value.decimalValue(), rule.decimalValue());
            case "minItems" -> !value.isArray() || value.size() >= rule.intValue();
            case "maxItems" -> !value.isArray() || value.size() <= rule.intValue();
            case "items" -> {
                for (int i = 0; value.isArray() && i < value.size(); i++) {
                    check(rule, value.get(i), path + "[" + i + "]", faults);
                }
                yield true;
            }
            case "required" -> !value.isObject() || texts(rule).stream().allMatch(value::has);
            case "properties" -> {
                rule.properties().forEach(each -> {
                    if (value.has(each.getKey())) {
                        check(each.getValue(), value.get(each.getKey()), path + "." + each.getKey(), faults);
                    }
                });
                yield true;
            }
            case "additionalProperties" ->
                rule.booleanValue()
                        || !value.isObject()
                        || value.properties().stream()
                                .allMatch(each -> schema.path("properties").has(each.getKey()));
            default -> throw new IllegalStateException("keyword is not known: name=" + keyword + " path=" + path);
        };
    }

    /** Returns how many of some schemas accept a value; if none does, adds their faults. */
    private int matches(JsonNode schemas, JsonNode value, List<String> faults) {
        List<String> all = new ArrayList<>();
        int matches = 0;
        for (JsonNode schema : schemas) {
            List<String> of = faults(schema, value);
            matches += of.isEmpty() ? 1 : 0;
            all.addAll(of);
        }
        if (matches == 0) {
            faults.addAll(all);
        }
        return matches;
    }

    private static List<String> types(JsonNode rule) {
        return rule.isTextual() ? List.of(rule.textValue()) : texts(rule);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.textValue()));
        return texts;
    }

    private static boolean isOfType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "number" -> value.isNumber();
            case "integer" -> value.isNumber() && isMultiple(value.decimalValue(), BigDecimal.ONE);
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            default -> throw new IllegalStateException("type is not known: name=" + type);
        };
    }

    private static boolean isMultiple(BigDecimal value, BigDecimal of) {
        return value.scale() > -400 && value.remainder(of).signum() == 0;
    }

    private static boolean isLike(String pattern, String text) {
        if (!pattern.startsWith("^") || !pattern.endsWith("$")) {
            throw new IllegalStateException("pattern of a part: pattern=" + pattern);
        }
        return Pattern.compile(pattern).matcher(text).matches();
    }

    private static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode each : list) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static int length(JsonNode text) {
        return text.textValue().codePointCount(0, text.textValue().length());
    }

    /** Returns a random value that a schema accepts. */
    JsonNode accepted(JsonNode reference) {
        JsonNode value = made(resolved(reference));
        List<String> faults = faults(reference, value);
        if (!faults.isEmpty()) {
            throw new IllegalStateException(
                    "made a value that the schema refuses: value=" + value + " faults=" + faults);
        }
        return value;
    }

    private JsonNode made(JsonNode schema) {
        JsonNode choices = schema.has("anyOf") ? schema.get("anyOf") : schema.get("oneOf");
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        if (choices != null) {
            return made(resolved(choices.get(random.nextInt(choices.size()))));
        }
        if (!schema.has("type")) {
            return any(2);
        }
        List<String> types = types(schema.get("type"));
        return switch (types.get(random.nextInt(types.size()))) {
            case "object" -> object(schema);
            case "array" -> array(schema);
            case "string" -> NODES.textNode(string(schema));
            case "number" -> number(schema);
            case "integer" -> integer(schema);
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            default -> NODES.nullNode();
        };
    }

    private ObjectNode object(JsonNode schema) {
        Set<String> needed = new HashSet<>(texts(schema.path("required")));
        List<Map.Entry<String, JsonNode>> members =
                new ArrayList<>(schema.path("properties").properties());
        Collections.shuffle(members, random);
        ObjectNode object = NODES.objectNode();
        for (Map.Entry<String, JsonNode> member : members) {
            if (needed.contains(member.getKey()) || random.nextInt(3) > 0) {
                object.set(member.getKey(), made(resolved(member.getValue())));
            }
        }
        if (schema.path("additionalProperties").asBoolean(true) && random.nextInt(4) == 0) {
            object.set("another", any(2));
        }
        return object;
    }

    private ArrayNode array(JsonNode schema) {
        int most = Math.min(3, schema.path("maxItems").asInt(3));
        ArrayNode array = NODES.arrayNode();
        int least = schema.path("minItems").asInt(0);
        for (int left = random.nextInt(least, most + 1); left > 0; left--) {
            array.add(made(resolved(schema.get("items"))));
        }
        return array;
    }

    private String string(JsonNode schema) {
        if (schema.has("pattern")) {
            JsonNode examples = schema.get("examples");
            return examples.get(random.nextInt(examples.size())).textValue();
        }
        String word = words.get(random.nextInt(words.size()));
        if (random.nextInt(2) == 0 && word.length() >= schema.path("minLength").asInt(0)) {
            return word;
        }
        StringBuilder text = new StringBuilder();
        for (int left = schema.path("minLength").asInt(0) + random.nextInt(12); left > 0; left--) {
            text.append(CHARACTERS.get(random.nextInt(CHARACTERS.size())));
        }
        return text.toString();
    }

    private JsonNode number(JsonNode schema) {
        if (schema.has("multipleOf")) {
            boolean isWhole = schema.get("exclusiveMaximum").decimalValue().intValue() != 1 && random.nextBoolean();
            BigDecimal unit =
                    isWhole ? BigDecimal.ONE : schema.get("multipleOf").decimalValue();
            return NODES.numberNode(unit.multiply(BigDecimal.valueOf(random.nextInt(-99, 999))));
        }
        int scale = random.nextInt(-300, 300);
        return NODES.numberNode(BigDecimal.valueOf(random.nextInt(-9999, 99_999), scale));
    }

    private JsonNode integer(JsonNode schema) {
        JsonNode least = schema.get("minimum");
        JsonNode most = schema.get("maximum");
        return switch (random.nextInt(4)) {
            case 0 -> least == null ? NODES.numberNode(0) : least;
            case 1 -> most == null ? NODES.numberNode(1) : most;
            default ->
                NODES.numberNode(random.nextInt(
                        least == null || least.longValue() < -99 ? -99 : least.intValue(),
                        most == null || most.longValue() > 99 ? 99 : most.intValue()));
        };
    }

    private JsonNode any(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(-9, 99));
            case 3 -> NODES.numberNode(BigDecimal.valueOf(random.nextInt(), random.nextInt(-5, 12)));
            case 4 -> NODES.textNode("");
            case 5, 6 -> NODES.textNode(string(NODES.objectNode()));
            case 7 -> NODES.arrayNode().add(any(depth - 1)).add(any(depth - 1));
            default -> NODES.objectNode().<ObjectNode>set("a", any(depth - 1)).set("b", any(depth - 1));
        };
    }

    /** Returns a random value that a schema refuses, which differs in one part from one that it accepts; null if none was found. */
    @Nullable
    JsonNode refused(JsonNode reference) {
        for (int tries = 0; tries < TRIES; tries++) {
            JsonNode changed = changed(accepted(reference));
            if (!faults(reference, changed).isEmpty()) {
                return changed;
            }
        }
        return null;
    }

    /** Returns a value, or one of its parts, after a random change. */
    private JsonNode changed(JsonNode value) {
        if (value.isContainerNode() && value.size() > 0 && random.nextInt(5) > 0) {
            if (value instanceof ArrayNode array) {
                int i = random.nextInt(array.size());
                array.set(i, changed(array.get(i)));
                return array;
            }
            ObjectNode object = (ObjectNode) value;
            List<Map.Entry<String, JsonNode>> members = new ArrayList<>(object.properties());
            Map.Entry<String, JsonNode> member = members.get(random.nextInt(members.size()));
            if (random.nextInt(4) == 0) {
                object.remove(member.getKey());
            } else {
                object.set(member.getKey(), changed(member.getValue()));
            }
            return object;
        }
        return switch (random.nextInt(3)) {
            case 0 -> any(2);
            default -> spoilt(value);
        };
    }

    /** Returns a value of the same type, or another type if there is no such value. */
    private JsonNode spoilt(JsonNode value) {
        if (value instanceof ObjectNode object) {
            return object.set("odd", any(1));
        }
        if (value instanceof ArrayNode array) {
            JsonNode item = array.isEmpty() ? any(1) : array.get(0);
            while (array.size() <= 50) {
                array.add(item);
            }
            return array;
        }
        if (value.isTextual()) {
            String text = value.textValue();
            return NODES.textNode(
                    switch (random.nextInt(3)) {
                        case 0 -> "";
                        case 1 -> text + "\u2603";
                        default -> "1".repeat(65);
                    });
        }
        if (value.isNumber()) {
            return NODES.numberNode(
                    switch (random.nextInt(4)) {
                        case 0 -> new BigDecimal("1e19");
                        case 1 -> new BigDecimal("-1e19");
                        case 2 -> new BigDecimal("0.0000000001234");
                        default -> BigDecimal.ZERO;
                    });
        }
        return any(0);
    }
}
