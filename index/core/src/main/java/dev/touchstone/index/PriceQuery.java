package dev.touchstone.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to search for: an offering, or none, and conditions that must all hold. Made by {@link PriceIndex#query}, for the fields of that index.
 *
 * <p>It holds what a search works with, so that one that is used again allocates nothing but its answer: {@link #clear} it between
 * searches. Not thread-safe. Arguments are not null. A value that is not of its field's type is an {@link InvalidValueException}, a field that the
 * index has not an {@link UnknownFieldException}.
 */
public final class PriceQuery {
    final Fields fields;
    final CompiledQuery compiled = new CompiledQuery();
    final Matches matches = new Matches();
    final SegmentSearch search = new SegmentSearch();

    @Nullable
    String offering;

    byte @Nullable [] offeringUtf8;
    int offeringFrom;
    int offeringTo;
    int size;
    Field[] field = new Field[8];
    Operator[] operator = new Operator[8];
    Object[] operand = new Object[8]; // String, String[], sorted long[], or the array that a text stands in
    long[] low = new long[8]; // of a range; of a text within an array, where it begins
    long[] high = new long[8]; // of a range, included; of a text within an array, where it ends

    private MatchPolicy policy = MatchPolicy.DEFAULT;
    private int limit = 100;

    PriceQuery(Fields fields) {
        this.fields = fields;
    }

    /** Takes back offering and conditions; policy and limit stay. */
    public PriceQuery clear() {
        offering = null;
        offeringUtf8 = null;
        size = 0;
        return this;
    }

    /** Searches the prices of one offering only. */
    public PriceQuery offering(String key) {
        offering = Objects.requireNonNull(key, "key");
        offeringUtf8 = null;
        return this;
    }

    /** As {@link #offering(String)}, with the text in UTF-8 within an array, which must stay as it is until the search is over. */
    public PriceQuery offering(byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        offering = null;
        offeringUtf8 = utf8;
        offeringFrom = from;
        offeringTo = to;
        return this;
    }

    /** What to answer when several match; at first {@link MatchPolicy#DEFAULT}. */
    public PriceQuery policy(MatchPolicy next) {
        policy = Objects.requireNonNull(next, "next");
        return this;
    }

    public MatchPolicy policy() {
        return policy;
    }

    /** The most prices that {@link MatchPolicy#ALL} answers; at first 100. */
    public PriceQuery limit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit=" + most);
        }
        limit = most;
        return this;
    }

    public int limit() {
        return limit;
    }

    /** The field has a value. */
    public PriceQuery eq(String name, Object value) {
        return eq(fields.named(name), value);
    }

    /** The field has a value. */
    public PriceQuery eq(Field where, Object value) {
        return equal(where, value, false);
    }

    /** As {@link #eq(Field, Object)} for a string in UTF-8 within an array, which must stay as it is until the search is over. */
    public PriceQuery eq(Field where, byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        if (where.type().isOrdered()) {
            throw where.wrong(new String(utf8, from, to - from, StandardCharsets.UTF_8));
        }
        return add(where, Operator.EQ, utf8, from, to);
    }

    /** The field has another value, or none. */
    public PriceQuery ne(String name, Object value) {
        return ne(fields.named(name), value);
    }

    /** The field has another value, or none. */
    public PriceQuery ne(Field where, Object value) {
        return equal(where, value, true);
    }

    private PriceQuery equal(Field where, Object value, boolean isNegative) {
        if (where.type().isOrdered()) {
            return range(where, isNegative, where.bound(value, true), where.bound(value, false));
        }
        return add(where, isNegative ? Operator.NE : Operator.EQ, string(where, value), 0, 0);
    }

    /** The field has one of some values. */
    public PriceQuery in(String name, Collection<?> values) {
        return in(fields.named(name), values);
    }

    /** The field has one of some values. */
    public PriceQuery in(Field where, Collection<?> values) {
        return add(where, Operator.IN, set(where, values), 0, 0);
    }

    /** The field has none of some values, or has no value at all. */
    public PriceQuery notIn(String name, Collection<?> values) {
        return notIn(fields.named(name), values);
    }

    /** The field has none of some values, or has no value at all. */
    public PriceQuery notIn(Field where, Collection<?> values) {
        return add(where, Operator.NOT_IN, set(where, values), 0, 0);
    }

    /** The field's value is in a range, its ends included. */
    public PriceQuery between(String name, Object least, Object most) {
        return between(fields.named(name), least, most);
    }

    /** The field's value is in a range, its ends included. */
    public PriceQuery between(Field where, Object least, Object most) {
        return range(ordered(where, least), false, where.bound(least, true), where.bound(most, false));
    }

    /** The field's value is {@code least} or greater. */
    public PriceQuery atLeast(Field where, Object least) {
        return range(ordered(where, least), false, where.bound(least, true), Long.MAX_VALUE);
    }

    /** The field's value is {@code most} or less. */
    public PriceQuery atMost(Field where, Object most) {
        return range(ordered(where, most), false, Long.MIN_VALUE, where.bound(most, false));
    }

    /** The field's value is greater than {@code bound}. */
    public PriceQuery greaterThan(Field where, Object bound) {
        long floor = ordered(where, bound).bound(bound, false);
        return floor == Long.MAX_VALUE ? range(where, false, 1, 0) : range(where, false, floor + 1, Long.MAX_VALUE);
    }

    /** The field's value is less than {@code bound}. */
    public PriceQuery lessThan(Field where, Object bound) {
        long ceiling = ordered(where, bound).bound(bound, true);
        return ceiling == Long.MIN_VALUE ? range(where, false, 1, 0) : range(where, false, Long.MIN_VALUE, ceiling - 1);
    }

    private static Field ordered(Field where, Object bound) {
        if (!where.type().isOrdered()) {
            throw new InvalidValueException(
                    "a string has no range: field=" + where.name() + " value=" + FieldType.shown(bound));
        }
        return where;
    }

    private PriceQuery range(Field where, boolean isNegative, long least, long most) {
        return add(where, isNegative ? Operator.NOT_BETWEEN : Operator.BETWEEN, where, least, most);
    }

    private static Object set(Field where, Collection<?> values) {
        if (where.type().isOrdered()) {
            // a value that the field can't have is one that no price has
            return values.stream()
                    .filter(value -> where.bound(value, true) == where.bound(value, false))
                    .mapToLong(value -> where.bound(value, true))
                    .sorted()
                    .distinct()
                    .toArray();
        }
        return values.stream().map(value -> string(where, value)).distinct().toArray(String[]::new);
    }

    private static String string(Field where, Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw where.wrong(value);
    }

    private PriceQuery add(Field where, Operator how, Object with, long least, long most) {
        if (where.ordinal() >= fields.list.size()
                || !fields.list.get(where.ordinal()).equals(where)) {
            throw new IllegalArgumentException("field of another index: name=" + where.name());
        }
        if (size == field.length) {
            field = Arrays.copyOf(field, size * 2);
            operator = Arrays.copyOf(operator, size * 2);
            operand = Arrays.copyOf(operand, size * 2);
            low = Arrays.copyOf(low, size * 2);
            high = Arrays.copyOf(high, size * 2);
        }
        field[size] = where;
        operator[size] = how;
        operand[size] = with;
        low[size] = least;
        high[size] = most;
        size++;
        return this;
    }

    /** Whether a condition holds for a price, by its values and without any index. */
    boolean holds(int condition, Price price) {
        Field where = field[condition];
        Object value = price.conditions().get(where.name());
        boolean isNegative = operator[condition].isNegative;
        return value == null ? isNegative : isNegative != isMet(condition, where, value);
    }

    private boolean isMet(int condition, Field where, Object value) {
        if (!where.type().isOrdered()) {
            return operand[condition] instanceof String[] strings
                    ? Arrays.asList(strings).contains(value)
                    : value.equals(text(condition));
        }
        long number = where.number(value);
        return operand[condition] instanceof long[] numbers
                ? Arrays.binarySearch(numbers, number) >= 0
                : low[condition] <= number && number <= high[condition];
    }

    /** A condition as {@link Explanation} shows it. */
    String shown(int condition) {
        Field where = field[condition];
        String name = where.name() + " ";
        return switch (operator[condition]) {
            case EQ -> name + "= " + text(condition);
            case NE -> name + "<> " + text(condition);
            case IN -> name + "in " + list(condition);
            case NOT_IN -> name + "not in " + list(condition);
            case BETWEEN -> name + "between " + range(condition);
            case NOT_BETWEEN -> name + "not between " + range(condition);
        };
    }

    String text(int condition) {
        return operand[condition] instanceof byte[] utf8
                ? new String(
                        utf8, (int) low[condition], (int) (high[condition] - low[condition]), StandardCharsets.UTF_8)
                : (String) operand[condition];
    }

    private String list(int condition) {
        if (operand[condition] instanceof long[] numbers) {
            return Arrays.stream(numbers)
                    .mapToObj(field[condition]::value)
                    .toList()
                    .toString();
        }
        return Arrays.toString((String[]) operand[condition]);
    }

    private String range(int condition) {
        Object from = low[condition] == Long.MIN_VALUE ? "any" : field[condition].value(low[condition]);
        Object to = high[condition] == Long.MAX_VALUE ? "any" : field[condition].value(high[condition]);
        return from + " and " + to;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("offering ").append(offeringText());
        for (int i = 0; i < size; i++) {
            text.append(", ").append(shown(i));
        }
        return text.toString();
    }

    @Nullable
    String offeringText() {
        return offeringUtf8 == null
                ? offering
                : new String(offeringUtf8, offeringFrom, offeringTo - offeringFrom, StandardCharsets.UTF_8);
    }
}
