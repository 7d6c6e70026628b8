package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A condition of a query in words of its own, so that what engines answer can be compared with what a plain comparison of values, and a database,
 * say.
 */
public record Condition(Field field, Kind kind, List<Object> values) {
    public enum Kind {
        EQ,
        NE,
        IN,
        NOT_IN,
        BETWEEN,
        AT_LEAST,
        AT_MOST,
        GREATER,
        LESS
    }

    void addTo(PriceQuery query) {
        Object first = values.isEmpty() ? "" : values.get(0);
        switch (kind) {
            case EQ -> query.eq(field, first);
            case NE -> query.ne(field, first);
            case IN -> query.in(field, values);
            case NOT_IN -> query.notIn(field, values);
            case BETWEEN -> query.between(field, first, values.get(1));
            case AT_LEAST -> query.atLeast(field, first);
            case AT_MOST -> query.atMost(field, first);
            case GREATER -> query.greaterThan(field, first);
            case LESS -> query.lessThan(field, first);
        }
    }

    boolean holds(Price price, boolean hasWildcards) {
        Object value = price.conditions().get(field.name());
        boolean isNegative = kind == Kind.NE || kind == Kind.NOT_IN;
        if (value == null) {
            return hasWildcards || isNegative;
        }
        if (value instanceof Set<?> several) {
            return isNegative
                    ? several.stream().allMatch(this::holds)
                    : several.stream().anyMatch(this::holds);
        }
        return holds(value);
    }

    private boolean holds(Object value) {
        return switch (kind) {
            case EQ -> compare(value, 0) == 0;
            case NE -> compare(value, 0) != 0;
            case IN -> isAmong(value);
            case NOT_IN -> !isAmong(value);
            case BETWEEN -> compare(value, 0) >= 0 && compare(value, 1) <= 0;
            case AT_LEAST -> compare(value, 0) >= 0;
            case AT_MOST -> compare(value, 0) <= 0;
            case GREATER -> compare(value, 0) > 0;
            case LESS -> compare(value, 0) < 0;
        };
    }

    private boolean isAmong(Object value) {
        return IntStream.range(0, values.size()).anyMatch(i -> compare(value, i) == 0);
    }

    private int compare(Object value, int operand) {
        Object other = values.get(operand);
        return switch (field.type()) {
            case STRING -> ((String) value).compareTo((String) other);
            case INTEGER -> ((Long) value).compareTo((Long) other);
            case DECIMAL -> ((BigDecimal) value).compareTo((BigDecimal) other);
            case DATE_TIME -> ((Instant) value).compareTo((Instant) other);
        };
    }

    /** For a table with a column f0, f1, ... for each field, numbers as the database has them. */
    String sql(boolean hasWildcards) {
        return hasWildcards ? "(f" + field.ordinal() + " is null or " + sql() + ")" : sql();
    }

    private String sql() {
        String column = "f" + field.ordinal();
        String marks = values.stream().map(value -> "?").collect(Collectors.joining(","));
        if (field.type() == FieldType.STRING) {
            boolean isNegative = kind == Kind.NE || kind == Kind.NOT_IN;
            return (isNegative ? "not " : "") + "exists (select 1 from json_each(" + column + ") where value in ("
                    + marks + "))";
        }
        return switch (kind) {
            case EQ -> column + " = ?";
            case NE -> "(" + column + " <> ? or " + column + " is null)";
            case IN -> column + " in (" + marks + ")";
            case NOT_IN -> "(" + column + " not in (" + marks + ") or " + column + " is null)";
            case BETWEEN -> column + " between ? and ?";
            case AT_LEAST -> column + " >= ?";
            case AT_MOST -> column + " <= ?";
            case GREATER -> column + " > ?";
            case LESS -> column + " < ?";
        };
    }

    /** A value of a price as a database has it: strings as a list, in JSON. */
    static Object storedInPrice(Object value) {
        Set<?> strings = value instanceof Set<?> several ? several : Set.of(value);
        return value instanceof Set<?> || value instanceof String
                ? strings.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(",", "[", "]"))
                : stored(value);
    }

    /** A value of a condition as a database has it. */
    static Object stored(Object value) {
        if (value instanceof Instant instant) {
            return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
        }
        return value instanceof BigDecimal decimal ? decimal.doubleValue() : value;
    }
}
