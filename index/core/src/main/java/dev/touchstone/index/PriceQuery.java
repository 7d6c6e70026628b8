package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query for prices: an offering, or any, and conditions that must all hold. Made by {@link PriceIndex#query} for the fields of that index.
 *
 * <p>A query holds the buffers of its searches, so that a query that is used again allocates nothing but the result: {@link #clear} it between
 * searches. Not thread-safe. Arguments must not be null. Methods throw {@link InvalidValueException} for a value that is not of the type of its
 * field, {@link UnknownFieldException} for the name of a field that the index does not have, and {@link IllegalArgumentException} for a field of
 * another index.
 */
@SuppressWarnings("ReferenceEquality") // compares with constants that stand for a state
public final class PriceQuery {
    private static final Object KNOWN = new Object(); // operand of a condition whose code tells the value

    final Fields fields;
    final CompiledQuery compiled;
    final Matches matches = new Matches();
    final SegmentSearch search = new SegmentSearch();
    private final PriceIndex index;
    private Snapshot.Codes codes; // dictionaries in which the strings were looked up
    private boolean hasOffering;
    private @Nullable String unknownOffering; // set if the offering has no code
    private Object[] operand = new Object[8]; // KNOWN, a String without a code, String[], or sorted long[]

    private MatchPolicy policy = MatchPolicy.DEFAULT;
    private int[] precedence; // ordinals of the fields that make a price specific
    private int limit = 100;

    PriceQuery(Fields fields, PriceIndex index) {
        this.fields = fields;
        this.index = index;
        codes = index.codes();
        compiled = new CompiledQuery(fields.list.size());
        Arrays.fill(operand, KNOWN);
        precedence = IntStream.range(0, fields.list.size()).toArray();
    }

    /**
     * Removes the offering and all conditions. Policy, limit, precedence and wildcards stay.
     *
     * @return this query
     */
    public PriceQuery clear() {
        compiled.clear();
        hasOffering = false;
        Snapshot.Codes now = index.codes();
        if (codes != now) {
            codes = now;
        }
        return this;
    }

    /**
     * Restricts the search to the prices of one offering.
     *
     * @param key key of the offering
     * @return this query
     */
    public PriceQuery offering(String key) {
        int code = codes.offerings.code(Objects.requireNonNull(key, "key"));
        return offering(code, code == 0 ? key : null);
    }

    /**
     * Restricts the search to the prices of one offering, like {@link #offering(String)}, without making a string.
     *
     * @param utf8 array that holds the text in UTF-8
     * @param from index of the first byte
     * @param to index behind the last byte
     * @return this query
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public PriceQuery offering(byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        int code = codes.offerings.code(utf8, from, to);
        return offering(code, code == 0 ? text(utf8, from, to) : null);
    }

    private PriceQuery offering(int code, @Nullable String unknown) {
        hasOffering = true;
        compiled.offering = code;
        if (unknownOffering != unknown) {
            unknownOffering = unknown;
        }
        return this;
    }

    private static String text(byte[] utf8, int from, int to) {
        return new String(utf8, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns whether the search is restricted to one offering.
     *
     * @return whether an offering was set
     */
    public boolean hasOffering() {
        return hasOffering;
    }

    int size() {
        return compiled.size;
    }

    private Field field(int condition) {
        return fields.list.get(compiled.field[condition]);
    }

    /**
     * Sets the policy for several matches; {@link MatchPolicy#DEFAULT} if not set.
     *
     * @param next policy
     * @return this query
     */
    public PriceQuery policy(MatchPolicy next) {
        policy = Objects.requireNonNull(next, "next");
        return this;
    }

    /**
     * Returns the policy for several matches.
     *
     * @return policy
     */
    public MatchPolicy policy() {
        return policy;
    }

    /**
     * Sets whether a price that has no value of a field meets every condition on that field, as in a list where a price without a country is for all
     * countries; false if not set. Otherwise such a price meets negative conditions only.
     *
     * @param areOn whether a missing value meets every condition
     * @return this query
     */
    public PriceQuery wildcards(boolean areOn) {
        compiled.hasWildcards = areOn;
        return this;
    }

    /**
     * Returns whether a price that has no value of a field meets every condition on that field.
     *
     * @return whether wildcards are on
     */
    public boolean hasWildcards() {
        return compiled.hasWildcards;
    }

    /**
     * Sets the fields by which {@link MatchPolicy#SPECIFIC} compares prices, the one that decides first in front; all fields in the order of the
     * index if not set.
     *
     * @param names names of fields, of which only the first of equal ones counts; fields that are left out make no price specific
     * @return this query
     * @throws UnknownFieldException if the index has no field of a name
     */
    public PriceQuery precedence(List<String> names) {
        precedence = names.stream()
                .mapToInt(name -> fields.named(name).ordinal())
                .distinct()
                .toArray();
        return this;
    }

    int[] precedence() {
        return precedence;
    }

    /**
     * Sets the maximum number of prices in the result for {@link MatchPolicy#ALL}; 100 if not set.
     *
     * @param most maximum number of prices, at least 1
     * @return this query
     * @throws IllegalArgumentException if the number is below 1
     */
    public PriceQuery limit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit=" + most);
        }
        limit = most;
        return this;
    }

    /**
     * Returns the maximum number of prices in the result for {@link MatchPolicy#ALL}.
     *
     * @return maximum number of prices, at least 1
     */
    public int limit() {
        return limit;
    }

    /**
     * Adds the condition that the field has a value, or has it among several.
     *
     * @param name name of the field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery eq(String name, Object value) {
        return eq(fields.named(name), value);
    }

    /**
     * Adds the condition that the field has a value, or has it among several.
     *
     * @param where field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery eq(Field where, Object value) {
        return equal(where, value, false);
    }

    /**
     * Adds the condition that a string field has a value, like {@link #eq(Field, Object)}, without making a string.
     *
     * @param where string field
     * @param utf8 array that holds the text in UTF-8
     * @param from index of the first byte
     * @param to index behind the last byte
     * @return this query
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public PriceQuery eq(Field where, byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        fields.requireOwn(where);
        if (where.type().isOrdered()) {
            throw where.wrong(text(utf8, from, to));
        }
        int code = codes.byField[where.ordinal()].code(utf8, from, to);
        return equal(where, code, false, code == 0 ? text(utf8, from, to) : KNOWN);
    }

    /**
     * Adds the condition that the field has another value, or no value: where {@link #eq} does not hold.
     *
     * @param name name of the field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery ne(String name, Object value) {
        return ne(fields.named(name), value);
    }

    /**
     * Adds the condition that the field has another value, or no value: where {@link #eq} does not hold.
     *
     * @param where field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery ne(Field where, Object value) {
        return equal(where, value, true);
    }

    private PriceQuery equal(Field where, Object value, boolean isNegative) {
        if (where.type().isOrdered()) {
            return range(where, isNegative, where.bound(value, true), where.bound(value, false));
        }
        fields.requireOwn(where);
        String text = string(where, value);
        int code = codes.byField[where.ordinal()].code(text);
        return equal(where, code, isNegative, code == 0 ? text : KNOWN);
    }

    private PriceQuery equal(Field where, int code, boolean isNegative, Object with) {
        int[] all = codes.byField[where.ordinal()].covering(code);
        Operator how = Operator.ofStrings(all != null, isNegative);
        int at = all == null ? compiled.add(where.ordinal(), how, code) : compiled.add(where.ordinal(), how, code, all);
        return keep(at, with);
    }

    /**
     * Adds the condition that the field has one of some values, or has one of them among several.
     *
     * @param name name of the field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery in(String name, Collection<?> values) {
        return in(fields.named(name), values);
    }

    /**
     * Adds the condition that the field has one of some values, or has one of them among several.
     *
     * @param where field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery in(Field where, Collection<?> values) {
        return choice(where, Operator.IN, values);
    }

    /**
     * Adds the condition that the field has none of some values, or no value at all: where {@link #in} does not hold.
     *
     * @param name name of the field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery notIn(String name, Collection<?> values) {
        return notIn(fields.named(name), values);
    }

    /**
     * Adds the condition that the field has none of some values, or no value at all: where {@link #in} does not hold.
     *
     * @param where field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery notIn(Field where, Collection<?> values) {
        return choice(where, Operator.NOT_IN, values);
    }

    /**
     * Adds the condition that the value of the field is in a range, which includes both ends.
     *
     * @param name name of the field
     * @param least least value, of the class that the type of the field names; the field must not be of strings
     * @param most greatest value, likewise
     * @return this query
     */
    public PriceQuery between(String name, Object least, Object most) {
        return between(fields.named(name), least, most);
    }

    /**
     * Adds the condition that the value of the field is in a range, which includes both ends.
     *
     * @param where field
     * @param least least value, of the class that the type of the field names; the field must not be of strings
     * @param most greatest value, likewise
     * @return this query
     */
    public PriceQuery between(Field where, Object least, Object most) {
        return range(ordered(where, least), false, where.bound(least, true), where.bound(most, false));
    }

    /**
     * Adds the condition that the value of the field is {@code least} or greater.
     *
     * @param where field
     * @param least least value, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery atLeast(Field where, Object least) {
        return range(ordered(where, least), false, where.bound(least, true), Long.MAX_VALUE);
    }

    /**
     * Adds the condition that the value of the field is {@code most} or less.
     *
     * @param where field
     * @param most greatest value, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery atMost(Field where, Object most) {
        return range(ordered(where, most), false, Long.MIN_VALUE, where.bound(most, false));
    }

    /**
     * Adds the condition that the value of the field is greater than a bound.
     *
     * @param where field
     * @param bound bound, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery greaterThan(Field where, Object bound) {
        long floor = ordered(where, bound).bound(bound, false);
        return floor == Long.MAX_VALUE ? range(where, false, 1, 0) : range(where, false, floor + 1, Long.MAX_VALUE);
    }

    /**
     * Adds the condition that the value of the field is less than a bound.
     *
     * @param where field
     * @param bound bound, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery lessThan(Field where, Object bound) {
        long ceiling = ordered(where, bound).bound(bound, true);
        return ceiling == Long.MIN_VALUE ? range(where, false, 1, 0) : range(where, false, Long.MIN_VALUE, ceiling - 1);
    }

    /**
     * Adds the condition that an interval of a price contains a value, such as the time for which a price is asked: the beginning is the value or less,
     * and the end is greater. With {@link #wildcards}, an interval without a beginning or an end has no limit there.
     *
     * @param from field of the beginning, which belongs to the interval
     * @param to field of the end, which does not
     * @param value value, of the class that the types of the fields name; the fields must not be of strings
     * @return this query
     */
    public PriceQuery within(Field from, Field to, Object value) {
        fields.requireOwn(ordered(to, value));
        to.bound(value, false); // a value that one of the fields refuses adds no condition
        return atMost(from, value).greaterThan(to, value);
    }

    /**
     * Adds the condition that at least one of some queries matches, by its conditions and wildcards alone. Queries may be nested in these in turn.
     *
     * @param queries queries of the same index without an offering, none of them twice; they must not change until {@link #clear}
     * @return this query
     * @throws IllegalArgumentException if a query is of another index, or has an offering
     * @throws InvalidValueException if more than 256 queries are nested, or a query in itself
     */
    public PriceQuery anyOf(PriceQuery... queries) {
        return nest(false, queries);
    }

    /**
     * Adds the condition that none of some queries matches. All else is as by {@link #anyOf}.
     *
     * @param queries queries of the same index without an offering
     * @return this query
     */
    public PriceQuery noneOf(PriceQuery... queries) {
        return nest(true, queries);
    }

    private PriceQuery nest(boolean isNone, PriceQuery... queries) {
        if (!Arrays.stream(queries).allMatch(one -> one.fields == fields && !one.hasOffering)) {
            throw new IllegalArgumentException(
                    "query of another index or with an offering: " + Arrays.toString(queries));
        }
        compiled.add(new CompiledQuery.Group(isNone, List.of(queries)));
        return this;
    }

    private static Field ordered(Field where, Object bound) {
        if (!where.type().isOrdered()) {
            throw new InvalidValueException(
                    "a string has no range: field=" + where.name() + " value=" + FieldType.shown(bound));
        }
        return where;
    }

    private PriceQuery range(Field where, boolean isNegative, long least, long most) {
        fields.requireOwn(where);
        Operator how = isNegative ? Operator.NOT_BETWEEN : Operator.BETWEEN;
        return keep(compiled.add(where.ordinal(), how, least, most), KNOWN);
    }

    private PriceQuery choice(Field where, Operator how, Collection<?> values) {
        fields.requireOwn(where);
        if (where.type().isOrdered()) {
            // a value that the field cannot have is left out, because no price has it
            long[] numbers = values.stream()
                    .filter(value -> where.bound(value, true) == where.bound(value, false))
                    .mapToLong(value -> where.bound(value, true))
                    .sorted()
                    .distinct()
                    .toArray();
            return keep(compiled.add(where.ordinal(), how, numbers), numbers);
        }
        String[] texts =
                values.stream().map(value -> string(where, value)).distinct().toArray(String[]::new);
        return keep(compiled.add(where.ordinal(), how, codes.byField[where.ordinal()].codes(texts)), texts);
    }

    private static String string(Field where, Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw where.wrong(value);
    }

    private PriceQuery keep(int condition, Object with) {
        if (condition >= operand.length) {
            int known = operand.length;
            operand = Arrays.copyOf(operand, known * 2);
            Arrays.fill(operand, known, operand.length, KNOWN);
        }
        if (operand[condition] != with) { // rare; storing a reference is slower than this test
            operand[condition] = with;
        }
        return this;
    }

    /**
     * Looks up the strings in the dictionaries of a snapshot, unless they were looked up there before.
     *
     * @return false if no price can match
     */
    boolean bind(Snapshot.Codes next) {
        if (codes != next) {
            translate(next);
        }
        return (!hasOffering || compiled.offering != CompiledQuery.ANY) && compiled.isPossible();
    }

    private void translate(Snapshot.Codes next) {
        String offering = offeringText();
        if (offering != null) {
            int code = next.offerings.code(offering);
            offering(code, code == 0 ? offering : null);
        }
        for (int i = 0; i < compiled.size; i++) {
            if (compiled.isOrdered[i]) {
                continue;
            }
            Dictionary dictionary = next.byField[compiled.field[i]];
            if (operand[i] instanceof String[] texts) {
                compiled.codes[i] = dictionary.codes(texts);
            } else {
                String text = text(i);
                int code = dictionary.code(text);
                compiled.replace(i, code, dictionary.covering(code));
                operand[i] = code == 0 ? text : KNOWN;
            }
        }
        compiled.noteKeys();
        codes = next;
    }

    /** Returns the text of a condition, as {@link Explanation} shows it. */
    String shown(int condition) {
        Field where = field(condition);
        String name = where.name() + " ";
        String not = compiled.operator[condition].isNegative ? "not " : "";
        return switch (compiled.operator[condition]) {
            case BETWEEN, NOT_BETWEEN -> name + not + "between " + range(condition);
            case EQ, NE, IN, NOT_IN -> {
                boolean isOne = operand[condition] == KNOWN || operand[condition] instanceof String;
                yield isOne
                        ? name + (not.isEmpty() ? "= " : "<> ") + text(condition)
                        : name + not + "in " + list(condition);
            }
        };
    }

    String text(int condition) {
        return operand[condition] instanceof String unknown
                ? unknown
                : codes.byField[compiled.field[condition]].value(compiled.code[condition]);
    }

    private String list(int condition) {
        if (operand[condition] instanceof long[] numbers) {
            return Arrays.stream(numbers)
                    .mapToObj(field(condition)::value)
                    .toList()
                    .toString();
        }
        return Arrays.toString((String[]) operand[condition]);
    }

    private String range(int condition) {
        long least = compiled.low[condition];
        long most = compiled.high[condition];
        Object from = least == Long.MIN_VALUE ? "any" : field(condition).value(least);
        Object to = most == Long.MAX_VALUE ? "any" : field(condition).value(most);
        return from + " and " + to;
    }

    @Override
    public String toString() {
        String conditions = shown();
        return "offering " + offeringText() + (conditions.isEmpty() ? "" : ", " + conditions);
    }

    /** Returns the text of all conditions. */
    String shown() {
        Stream<String> own = IntStream.range(0, compiled.size).mapToObj(this::shown);
        Stream<String> nested = Arrays.stream(compiled.groups).map(Object::toString);
        return Stream.concat(own, nested).collect(Collectors.joining(", "));
    }

    /** Returns the offering of the query, or null if it has none. */
    @Nullable
    String offeringText() {
        if (!hasOffering) {
            return null;
        }
        return compiled.offering == CompiledQuery.ANY ? unknownOffering : codes.offerings.value(compiled.offering);
    }
}
