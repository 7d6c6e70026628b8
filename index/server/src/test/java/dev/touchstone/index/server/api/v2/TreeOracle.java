package dev.touchstone.index.server.api.v2;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reader of version 2 that the service had before {@link QueryReader} and {@link PriceJson}: it makes a tree of the whole request and then looks at
 * the tree. Tests compare the two.
 *
 * <p>Three rules were changed in both: lists that are too long are bad requests (they were 413), a number like 12.0 is whole, and the number of tokens
 * has no limit of its own.
 */
final class TreeOracle {
    private static final Set<String> QUERY =
            Set.of("offering", "conditions", "policy", "limit", "wildcards", "precedence");
    private static final Set<String> ITEM =
            Set.of("id", "offering", "conditions", "policy", "limit", "wildcards", "precedence");
    private static final Set<String> ANY = Set.of("field", "op", "value", "values", "from", "to", "anyOf", "noneOf");
    private static final Set<String> NESTED = Set.of("conditions", "wildcards");
    private static final int MAX_NESTED = 256;
    private static final Set<String> PRICE =
            Set.of("id", "offering", "conditions", "value", "currency", "default", "payload");

    /** Returned for a number like 1e99999999999, for which this reader failed and the service answered 500. */
    static final String FAILED = "500";

    private final PriceIndex index;
    private final Limits limits;
    private final ObjectMapper mapper;
    private final PriceQuery query;
    private int nested;

    TreeOracle(PriceIndex index, Limits limits) {
        this.index = index;
        this.limits = limits;
        query = index.query();
        mapper = new ObjectMapper(new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.depth())
                        .maxNumberLength(64)
                        .maxNameLength(1000)
                        .maxStringLength(limits.bulkBodyBytes())
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
        mapper.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        mapper.configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);
    }

    JsonNode tree(String json) throws IOException {
        return mapper.readTree(json);
    }

    /** Returns the query of a body of one search, as text with its policy and limit, or the status and message of its refusal. */
    String search(byte[] body) {
        try (JsonParser parser = mapper.getFactory().createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Json.bad("a JSON object is expected", parser);
            }
            JsonNode tree = mapper.readTree(parser);
            Json.end(parser);
            read(tree, false);
            return shown(query);
        } catch (IOException e) {
            return shown(Json.bad(e));
        } catch (RequestException e) {
            return shown(e);
        } catch (NumberFormatException e) {
            return FAILED;
        }
    }

    static String shown(PriceQuery query) {
        return query + ", policy " + query.policy() + ", limit " + query.limit();
    }

    private static String shown(RequestException failure) {
        return failure.status() + " " + failure.text();
    }

    /** Returns the answer to a list of searches, or the status and message of its refusal. */
    Object bulk(byte[] body) {
        ArrayNode answers = mapper.createArrayNode();
        try (JsonParser parser = mapper.getFactory().createParser(body)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw Json.bad("a list of searches is expected", parser);
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (answers.size() >= limits.items()) {
                    throw RequestException.bad("", "more than " + limits.items() + " searches");
                }
                answers.add(item(mapper.readTree(parser)));
            }
            Json.end(parser);
            return answers;
        } catch (IOException e) {
            return shown(Json.bad(e));
        } catch (RequestException e) {
            return shown(e);
        } catch (NumberFormatException e) {
            return FAILED;
        }
    }

    private ObjectNode item(JsonNode request) {
        ObjectNode answer = mapper.createObjectNode();
        JsonNode id = request.get("id");
        if (id != null && id.isValueNode()) {
            answer.set("id", id);
        }
        try {
            read(request, true);
            SearchResult result = index.search(query);
            answer.put("version", result.version());
            if (result instanceof SearchResult.Found found) {
                answer.put("matches", found.matches());
                if (query.policy() == MatchPolicy.ALL) {
                    ArrayNode prices = answer.putArray("prices");
                    found.prices().forEach(price -> prices.add(json(price)));
                } else {
                    answer.set("price", json(found.price(0)));
                }
            } else {
                long matches = result instanceof SearchResult.Ambiguous several ? several.matches() : 0;
                answer.put("matches", matches);
                error(
                        matches > 0 ? 409 : 404,
                        matches > 0 ? matches + " prices match" : "no price matches; /v2/explain tells why",
                        answer);
            }
        } catch (RequestException e) {
            error(e.status(), e.text(), answer);
        }
        return answer;
    }

    private static void error(int status, String message, ObjectNode answer) {
        answer.putObject("error").put("status", status).put("message", message);
    }

    private ObjectNode json(Price price) {
        ObjectNode node = mapper.createObjectNode();
        node.put("id", price.id()).put("offering", price.offering());
        ObjectNode conditions = node.putObject("conditions");
        for (Field field : index.fields()) {
            Object value = price.conditions().get(field.name());
            if (value instanceof Long number) {
                conditions.put(field.name(), number);
            } else if (value instanceof BigDecimal number) {
                conditions.put(field.name(), number);
            } else if (value instanceof Set<?> several) {
                ArrayNode array = conditions.putArray(field.name());
                several.forEach(each -> array.add(each.toString()));
            } else if (value != null) {
                conditions.put(field.name(), value.toString());
            }
        }
        node.put("value", price.value()).put("currency", price.currency()).put("default", price.isDefault());
        if (price.payload() != null) {
            node.put("payload", price.payload());
        }
        return node;
    }

    /** Returns the prices and removals of a body of changes, as text, or the status and message of its refusal. */
    String update(byte[] body) {
        List<Price> put = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        try (JsonParser parser = mapper.getFactory().createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Json.bad("an object with put and remove is expected", parser);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!name.equals("put") && !name.equals("remove")) {
                    throw Json.bad(
                            "no such name: '" + RequestException.shown(name) + "'; known are put and remove", parser);
                }
                if (parser.nextToken() != JsonToken.START_ARRAY) {
                    throw Json.bad("a list is expected: name=" + name, parser);
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (put.size() + removed.size() >= limits.items()) {
                        throw RequestException.bad("", "more than " + limits.items() + " changes");
                    }
                    JsonNode item = mapper.readTree(parser);
                    if (name.equals("put")) {
                        put.add(price(item, "put[" + put.size() + "]"));
                    } else {
                        removed.add(removed(item, "remove[" + removed.size() + "]"));
                    }
                }
            }
            Json.end(parser);
            return "removed " + removed + " put " + put;
        } catch (IOException e) {
            return shown(Json.bad(e));
        } catch (RequestException e) {
            return shown(e);
        } catch (NumberFormatException e) {
            return FAILED;
        }
    }

    private static String removed(JsonNode item, String path) throws RequestException {
        object(item, path, Set.of("id", "offering"));
        return needed(item, "offering", path) + "/" + needed(item, "id", path);
    }

    private Price price(JsonNode node, String path) throws RequestException {
        object(node, path, PRICE);
        JsonNode conditions = node.get("conditions");
        Map<String, Object> values = new HashMap<>();
        if (conditions != null && !conditions.isNull()) {
            String at = path(path, "conditions");
            if (!conditions.isObject()) {
                throw RequestException.bad(at, "an object is expected");
            }
            for (Map.Entry<String, JsonNode> condition : conditions.properties()) {
                Field field = field(condition.getKey(), at);
                String place = path(at, RequestException.shown(condition.getKey()));
                if (condition.getValue().isArray() && field.type() == FieldType.STRING) {
                    List<Object> several = new ArrayList<>();
                    for (JsonNode one : condition.getValue()) {
                        several.add(value(one, field, place + "[" + several.size() + "]"));
                    }
                    values.put(condition.getKey(), several);
                } else if (!condition.getValue().isNull()) {
                    values.put(condition.getKey(), value(condition.getValue(), field, place));
                }
            }
        }
        String currency = text(node, "currency", path);
        try {
            return new Price(
                    needed(node, "id", path),
                    needed(node, "offering", path),
                    values,
                    decimal(node, path),
                    currency == null ? "" : currency,
                    isDefault(node, path),
                    text(node, "payload", path));
        } catch (InvalidValueException e) {
            throw RequestException.unfit(path, e);
        }
    }

    private static BigDecimal decimal(JsonNode node, String path) throws RequestException {
        JsonNode value = node.get("value");
        String at = path(path, "value");
        if (value == null || (!value.isNumber() && !value.isTextual())) {
            throw RequestException.bad(at, "a number is expected");
        }
        try {
            return (BigDecimal) FieldType.DECIMAL.parse(value.asText());
        } catch (InvalidValueException e) {
            throw RequestException.unfit(at, e);
        }
    }

    private static boolean isDefault(JsonNode node, String path) throws RequestException {
        JsonNode value = node.get("default");
        if (value == null || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw RequestException.bad(path(path, "default"), "true or false is expected");
        }
        return value.booleanValue();
    }

    private void read(JsonNode request, boolean isItem) throws RequestException {
        object(request, "", isItem ? ITEM : QUERY);
        query.clear();
        nested = 0;
        query.policy(policy(request)).limit(limit(request)).wildcards(wildcards(request, "wildcards"));
        setPrecedence(request);
        String offering = text(request, "offering", "");
        if (offering != null) {
            query.offering(offering);
        }
        JsonNode conditions = request.get("conditions");
        if (conditions == null || conditions.isNull()) {
            return;
        }
        if (!conditions.isArray()) {
            throw RequestException.bad("conditions", "a list is expected");
        }
        if (conditions.size() > limits.conditions()) {
            throw RequestException.bad(
                    "", "more than " + limits.conditions() + " conditions: conditions=" + conditions.size());
        }
        addAll(conditions, "conditions", query);
    }

    private void addAll(JsonNode conditions, String path, PriceQuery to) throws RequestException {
        for (int i = 0; i < conditions.size(); i++) {
            condition(conditions.get(i), path + "[" + i + "]", to);
        }
    }

    private PriceQuery[] queries(JsonNode node, String name, String path) throws RequestException {
        object(node, path, Set.of(name));
        String at = path(path, name);
        JsonNode list = node.get(name);
        if (!list.isArray()) {
            throw RequestException.bad(at, "a list is expected");
        }
        if (list.size() > MAX_NESTED - nested) {
            throw RequestException.bad(at, "more than " + MAX_NESTED + " nested queries");
        }
        PriceQuery[] queries = new PriceQuery[list.size()];
        for (int i = 0; i < queries.length; i++) {
            queries[i] = nested(list.get(i), at + "[" + i + "]");
        }
        return queries;
    }

    private PriceQuery nested(JsonNode node, String path) throws RequestException {
        object(node, path, NESTED);
        nested++;
        PriceQuery made = index.query().wildcards(wildcards(node, path(path, "wildcards")));
        JsonNode conditions = node.path("conditions");
        String at = path(path, "conditions");
        if (conditions.isMissingNode() || conditions.isNull()) {
            return made;
        }
        if (!conditions.isArray()) {
            throw RequestException.bad(at, "a list is expected");
        }
        if (conditions.size() > limits.conditions()) {
            throw RequestException.bad(
                    at, "more than " + limits.conditions() + " conditions: conditions=" + conditions.size());
        }
        addAll(conditions, at, made);
        return made;
    }

    private static MatchPolicy policy(JsonNode request) throws RequestException {
        String name = text(request, "policy", "");
        if (name == null) {
            return MatchPolicy.DEFAULT;
        }
        for (MatchPolicy policy : MatchPolicy.values()) {
            if (policy.name().equalsIgnoreCase(name)) {
                return policy;
            }
        }
        throw RequestException.bad(
                "policy",
                "no such policy: '" + RequestException.shown(name) + "'; known are "
                        + Arrays.stream(MatchPolicy.values()).map(Enum::name).collect(Collectors.joining(", ")));
    }

    private static boolean wildcards(JsonNode request, String path) throws RequestException {
        JsonNode value = request.path("wildcards");
        if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
            throw RequestException.bad(path, "true or false is expected");
        }
        return value.booleanValue();
    }

    private void setPrecedence(JsonNode request) throws RequestException {
        JsonNode value = request.path("precedence");
        if (value.isMissingNode() || value.isNull()) {
            query.precedence(index.fields().stream().map(Field::name).toList());
            return;
        }
        if (!value.isArray()) {
            throw RequestException.bad("precedence", "a list is expected");
        }
        if (value.size() > limits.items()) {
            throw RequestException.bad("precedence", "more than " + limits.items() + " fields: fields=" + value.size());
        }
        List<String> names = new ArrayList<>();
        for (JsonNode name : value) {
            if (!name.isTextual()) {
                throw RequestException.bad("precedence", "a list of strings is expected");
            }
            names.add(name.textValue());
        }
        try {
            query.precedence(names);
        } catch (UnknownFieldException e) {
            throw RequestException.unfit("precedence", e);
        }
    }

    private int limit(JsonNode request) throws RequestException {
        JsonNode limit = request.get("limit");
        if (limit == null || limit.isNull()) {
            return Math.min(100, limits.items());
        }
        if (!limit.isNumber() || !isWhole(limit) || limit.intValue() < 1 || limit.intValue() > limits.items()) {
            throw RequestException.bad("limit", "a number from 1 to " + limits.items() + " is expected");
        }
        return limit.intValue();
    }

    private static boolean isWhole(JsonNode number) {
        return number.canConvertToInt()
                && number.decimalValue().remainder(BigDecimal.ONE).signum() == 0;
    }

    private void condition(JsonNode node, String path, PriceQuery to) throws RequestException {
        object(node, path, ANY);
        if (node.has("anyOf")) {
            to.anyOf(queries(node, "anyOf", path));
            return;
        }
        if (node.has("noneOf")) {
            to.noneOf(queries(node, "noneOf", path));
            return;
        }
        String name = needed(node, "field", path);
        String told = text(node, "op", path);
        String op = told == null ? "eq" : told;
        Field field = field(name, path);
        object(node, path, names(op, path));
        try {
            add(node, field, op, path, to);
        } catch (InvalidValueException e) {
            throw RequestException.unfit(path, e);
        }
    }

    private Field field(String name, String path) throws RequestException {
        try {
            return index.field(name);
        } catch (UnknownFieldException e) {
            throw RequestException.unfit(path, e);
        }
    }

    private static Set<String> names(String op, String path) throws RequestException {
        return switch (op) {
            case "eq", "ne", "atLeast", "atMost", "greaterThan", "lessThan" -> Set.of("field", "op", "value");
            case "in", "notIn" -> Set.of("field", "op", "values");
            case "between" -> Set.of("field", "op", "from", "to");
            default ->
                throw RequestException.bad(
                        path(path, "op"),
                        "no such operator: '" + RequestException.shown(op)
                                + "'; known are eq, ne, in, notIn, between, atLeast, atMost, greaterThan, lessThan");
        };
    }

    private void add(JsonNode node, Field field, String op, String path, PriceQuery to) throws RequestException {
        switch (op) {
            case "in" -> to.in(field, values(node, field, path));
            case "notIn" -> to.notIn(field, values(node, field, path));
            case "between" -> to.between(field, part(node, field, "from", path), part(node, field, "to", path));
            case "ne" -> to.ne(field, part(node, field, "value", path));
            case "atLeast" -> to.atLeast(field, part(node, field, "value", path));
            case "atMost" -> to.atMost(field, part(node, field, "value", path));
            case "greaterThan" -> to.greaterThan(field, part(node, field, "value", path));
            case "lessThan" -> to.lessThan(field, part(node, field, "value", path));
            default -> to.eq(field, part(node, field, "value", path));
        }
    }

    private static Object part(JsonNode node, Field field, String name, String path) throws RequestException {
        return value(node.get(name), field, path(path, name));
    }

    private List<Object> values(JsonNode node, Field field, String path) throws RequestException {
        JsonNode list = node.get("values");
        String at = path(path, "values");
        if (list == null || !list.isArray()) {
            throw RequestException.bad(at, "a list is expected");
        }
        if (list.size() > limits.items()) {
            throw RequestException.bad(at, "more than " + limits.items() + " values: values=" + list.size());
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            values.add(value(list.get(i), field, at + "[" + i + "]"));
        }
        return values;
    }

    private static void object(JsonNode node, String path, Set<String> known) throws RequestException {
        if (!node.isObject()) {
            throw RequestException.bad(path, "an object is expected");
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw RequestException.bad(
                        path(path, RequestException.shown(name)),
                        "no such name; known are "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    private static @Nullable String text(JsonNode object, String name, String path) throws RequestException {
        JsonNode node = object.get(name);
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isTextual()) {
            throw RequestException.bad(path(path, name), "a string is expected");
        }
        return node.textValue();
    }

    private static String needed(JsonNode object, String name, String path) throws RequestException {
        String text = text(object, name, path);
        if (text == null) {
            throw RequestException.bad(path(path, name), "is missing");
        }
        return text;
    }

    private static String path(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static Object value(@Nullable JsonNode node, Field field, String path) throws RequestException {
        if (node == null) {
            throw RequestException.bad(path, "is missing");
        }
        boolean isNumeric = field.type() == FieldType.INTEGER || field.type() == FieldType.DECIMAL;
        try {
            if (!node.isTextual() && !(isNumeric && node.isNumber())) {
                throw new InvalidValueException(
                        "not a value of the field's type: field=" + field.name() + " type=" + field.type());
            }
            boolean isWhole = field.type() == FieldType.INTEGER && node.isNumber() && isLong(node.decimalValue());
            String text = isWhole
                    ? Long.toString(node.decimalValue().longValueExact())
                    : node.isTextual() ? node.textValue() : node.asText();
            return field.type().parse(text);
        } catch (IndexException e) {
            throw RequestException.unfit(path, e);
        }
    }

    private static boolean isLong(BigDecimal number) {
        return number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0
                && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                && (number.scale() <= 0 || number.remainder(BigDecimal.ONE).signum() == 0);
    }
}
