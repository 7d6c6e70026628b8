package dev.touchstone.index.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.PriceQuery;
import dev.touchstone.index.UnknownFieldException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A reader that makes a query of the JSON of {@code /v2/search}. For one thread. */
final class QueryReader {
    static final String ID = "id";

    private static final String OFFERING = "offering";
    private static final String CONDITIONS = "conditions";
    private static final String POLICY = "policy";
    private static final String LIMIT = "limit";
    private static final String FIELD = "field";
    private static final String OP = "op";
    private static final String VALUE = "value";
    private static final String VALUES = "values";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final Set<String> QUERY = Set.of(OFFERING, CONDITIONS, POLICY, LIMIT);
    private static final Set<String> ITEM = Set.of(ID, OFFERING, CONDITIONS, POLICY, LIMIT);
    private static final Set<String> ONE = Set.of(FIELD, OP, VALUE);
    private static final Set<String> SET = Set.of(FIELD, OP, VALUES);
    private static final Set<String> RANGE = Set.of(FIELD, OP, FROM, TO);
    private static final Set<String> ANY = Set.of(FIELD, OP, VALUE, VALUES, FROM, TO);
    private static final int LIMIT_AT_FIRST = 100;

    private final PriceIndex index;
    private final Limits limits;
    private final Json json;
    private final PriceQuery query;

    QueryReader(PriceService service) {
        index = service.index();
        limits = service.limits();
        json = service.json();
        query = index.query();
    }

    /** Returns the query that was last read. */
    PriceQuery query() {
        return query;
    }

    /** Reads a body into {@link #query}; returns false if the body is not a query, in which case the answer holds the reason. */
    boolean read(byte[] bytes, int from, int to, Answer answer) {
        try {
            read(json.object(bytes, from, to), false);
            return true;
        } catch (RequestException e) {
            Errors.json(e, answer);
            return false;
        }
    }

    /** Replaces the contents of the query by those of a request. */
    void read(JsonNode request, boolean isItem) throws RequestException {
        Shape.object(request, "", isItem ? ITEM : QUERY);
        query.clear();
        query.policy(policy(request)).limit(limit(request));
        String offering = Shape.text(request, OFFERING, "");
        if (offering != null) {
            query.offering(offering);
        }
        JsonNode conditions = request.get(CONDITIONS);
        if (conditions == null || conditions.isNull()) {
            return;
        }
        if (!conditions.isArray()) {
            throw Shape.bad(CONDITIONS, "a list is expected");
        }
        if (conditions.size() > limits.conditions()) {
            throw new RequestException(
                    RequestException.TOO_LARGE,
                    "more than " + limits.conditions() + " conditions: conditions=" + conditions.size());
        }
        for (int i = 0; i < conditions.size(); i++) {
            condition(conditions.get(i), CONDITIONS + "[" + i + "]");
        }
    }

    private static MatchPolicy policy(JsonNode request) throws RequestException {
        String name = Shape.text(request, POLICY, "");
        if (name == null) {
            return MatchPolicy.DEFAULT;
        }
        for (MatchPolicy policy : MatchPolicy.values()) {
            if (policy.name().equalsIgnoreCase(name)) {
                return policy;
            }
        }
        throw Shape.bad(
                POLICY,
                "no such policy: '" + Shape.shown(name) + "'; known are "
                        + Arrays.stream(MatchPolicy.values()).map(Enum::name).collect(Collectors.joining(", ")));
    }

    private int limit(JsonNode request) throws RequestException {
        JsonNode limit = request.get(LIMIT);
        if (limit == null || limit.isNull()) {
            return Math.min(LIMIT_AT_FIRST, limits.items());
        }
        if (!limit.canConvertToInt()
                || !limit.isIntegralNumber()
                || limit.intValue() < 1
                || limit.intValue() > limits.items()) {
            throw Shape.bad(LIMIT, "a number from 1 to " + limits.items() + " is expected");
        }
        return limit.intValue();
    }

    private void condition(JsonNode node, String path) throws RequestException {
        Shape.object(node, path, ANY);
        String name = Shape.needed(node, FIELD, path);
        String told = Shape.text(node, OP, path);
        String op = told == null ? "eq" : told;
        Field field;
        try {
            field = index.field(name);
        } catch (UnknownFieldException e) {
            throw Shape.unfit(path, String.valueOf(e.getMessage()));
        }
        Shape.object(node, path, names(op, path));
        try {
            add(node, field, op, path);
        } catch (InvalidValueException e) {
            throw Shape.unfit(path, String.valueOf(e.getMessage()));
        }
    }

    private static Set<String> names(String op, String path) throws RequestException {
        return switch (op) {
            case "eq", "ne", "atLeast", "atMost", "greaterThan", "lessThan" -> ONE;
            case "in", "notIn" -> SET;
            case "between" -> RANGE;
            default ->
                throw Shape.bad(
                        Shape.path(path, OP),
                        "no such operator: '" + Shape.shown(op)
                                + "'; known are eq, ne, in, notIn, between, atLeast, atMost, greaterThan, lessThan");
        };
    }

    private void add(JsonNode node, Field field, String op, String path) throws RequestException {
        switch (op) {
            case "in" -> query.in(field, values(node, field, path));
            case "notIn" -> query.notIn(field, values(node, field, path));
            case "between" -> query.between(field, part(node, field, FROM, path), part(node, field, TO, path));
            case "ne" -> query.ne(field, part(node, field, VALUE, path));
            case "atLeast" -> query.atLeast(field, part(node, field, VALUE, path));
            case "atMost" -> query.atMost(field, part(node, field, VALUE, path));
            case "greaterThan" -> query.greaterThan(field, part(node, field, VALUE, path));
            case "lessThan" -> query.lessThan(field, part(node, field, VALUE, path));
            default -> query.eq(field, part(node, field, VALUE, path));
        }
    }

    private static Object part(JsonNode node, Field field, String name, String path) throws RequestException {
        return Shape.value(node.get(name), field, Shape.path(path, name));
    }

    private List<Object> values(JsonNode node, Field field, String path) throws RequestException {
        JsonNode list = node.get(VALUES);
        String at = Shape.path(path, VALUES);
        if (list == null || !list.isArray()) {
            throw Shape.bad(at, "a list is expected");
        }
        if (list.size() > limits.items()) {
            throw new RequestException(
                    RequestException.TOO_LARGE,
                    at + ": more than " + limits.items() + " values: values=" + list.size());
        }
        List<Object> values = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            values.add(Shape.value(list.get(i), field, at + "[" + i + "]"));
        }
        return values;
    }
}
