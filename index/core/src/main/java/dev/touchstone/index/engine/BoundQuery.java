package dev.touchstone.index.engine;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.UnknownFieldException;
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
 * A query as the caller stated it: the strings of its conditions, the dictionaries in which they were looked up, and the buffers of its searches. A {@link
 * CompiledQuery} holds the codes that were found.
 *
 * <p>Methods throw {@link InvalidValueException} for a value that is not of the type of its field, and {@link IllegalArgumentException} for a field of another
 * index. Not thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // compares with constants that stand for a state
public final class BoundQuery {
    private static final Object KNOWN = new Object(); // operand of a condition whose code tells the value

    final CompiledQuery compiled;
    final ResultCollector matches = new ResultCollector();
    final SegmentSearch search = new SegmentSearch();
    private final Fields fields;
    private Snapshot.Codes codes; // dictionaries in which the strings were looked up
    private boolean hasOffering;
    private @Nullable String unknownOffering; // set if the offering has no code
    private Object[] operand = new Object[8]; // KNOWN, a String without a code, String[], or sorted long[]

    private MatchPolicy policy = MatchPolicy.DEFAULT;
    private int[] precedence; // ordinals of the fields that make a price specific
    private int limit = 100;

    /** Creates a query without an offering and conditions, bound to the dictionaries of a snapshot. */
    public BoundQuery(Fields fields, Snapshot.Codes codes) {
        this.fields = fields;
        this.codes = codes;
        compiled = new CompiledQuery(fields.list.size());
        Arrays.fill(operand, KNOWN);
        precedence = IntStream.range(0, fields.list.size()).toArray();
    }

    /** Returns the fields of the index. */
    public Fields fields() {
        return fields;
    }

    /** Removes the offering and all conditions, and binds the query to the dictionaries of a snapshot. Policy, limit, precedence and wildcards stay. */
    public void clear(Snapshot.Codes now) {
        compiled.clear();
        hasOffering = false;
        if (codes != now) {
            codes = now;
        }
    }

    /** Restricts the search to the prices of one offering. */
    public void offering(String key) {
        int code = codes.offerings.code(Objects.requireNonNull(key, "key"));
        offering(code, code == 0 ? key : null);
    }

    /**
     * Restricts the search to the prices of the offering whose key is a text in UTF-8.
     *
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public void offering(byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        int code = codes.offerings.code(utf8, from, to);
        offering(code, code == 0 ? text(utf8, from, to) : null);
    }

    private void offering(int code, @Nullable String unknown) {
        hasOffering = true;
        compiled.offering = code;
        if (unknownOffering != unknown) {
            unknownOffering = unknown;
        }
    }

    private static String text(byte[] utf8, int from, int to) {
        return new String(utf8, from, to - from, StandardCharsets.UTF_8);
    }

    /** Returns whether the search is restricted to one offering. */
    public boolean hasOffering() {
        return hasOffering;
    }

    /** Returns the number of conditions, those on nested queries left out. */
    int size() {
        return compiled.size;
    }

    private Field field(int condition) {
        return fields.list.get(compiled.field[condition]);
    }

    /** Sets the policy for several matches; {@link MatchPolicy#DEFAULT} if not set. */
    public void policy(MatchPolicy next) {
        policy = Objects.requireNonNull(next, "next");
    }

    /** Returns the policy for several matches. */
    public MatchPolicy policy() {
        return policy;
    }

    /** Sets whether a price without a value of a field meets every condition on that field; false if not set. */
    public void wildcards(boolean areOn) {
        compiled.hasWildcards = areOn;
    }

    /** Returns whether a price without a value of a field meets every condition on that field. */
    public boolean hasWildcards() {
        return compiled.hasWildcards;
    }

    /**
     * Sets the fields that make a price specific, the one that decides first in front; all fields if not set.
     *
     * @throws UnknownFieldException if the index has no field of a name
     */
    public void precedence(List<String> names) {
        precedence = names.stream()
                .mapToInt(name -> fields.named(name).ordinal())
                .distinct()
                .toArray();
    }

    /** Sets the ordinals of the fields that make a price specific, each of a field of the index. The caller must not change the array any more. */
    public void precedence(int... ordinals) {
        precedence = ordinals;
    }

    /** Returns the ordinals of the fields that make a price specific. The caller must not change the array. */
    public int[] precedence() {
        return precedence;
    }

    /**
     * Sets the maximum number of prices in the result for {@link MatchPolicy#ALL}; 100 if not set.
     *
     * @throws IllegalArgumentException if the number is below 1
     */
    public void limit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit=" + most);
        }
        limit = most;
    }

    /** Returns the maximum number of prices in the result for {@link MatchPolicy#ALL}. */
    public int limit() {
        return limit;
    }

    /** Adds the condition that a field has a value, or has it among several; if negative, that it does not. */
    public void equal(Field where, Object value, boolean isNegative) {
        if (where.type().isOrdered()) {
            range(where, isNegative, where.bound(value, true), where.bound(value, false));
            return;
        }
        fields.requireOwn(where);
        String text = string(where, value);
        int code = codes.byField[where.ordinal()].code(text);
        equal(where, code, isNegative, code == 0 ? text : KNOWN);
    }

    /**
     * Adds the condition that a string field has a value, which is a text in UTF-8.
     *
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public void equal(Field where, byte[] utf8, int from, int to) {
        Objects.checkFromToIndex(from, to, utf8.length);
        fields.requireOwn(where);
        if (where.type().isOrdered()) {
            throw InvalidValueException.of(where, text(utf8, from, to));
        }
        int code = codes.byField[where.ordinal()].code(utf8, from, to);
        equal(where, code, false, code == 0 ? text(utf8, from, to) : KNOWN);
    }

    private void equal(Field where, int code, boolean isNegative, Object with) {
        int[] all = codes.byField[where.ordinal()].covering(code);
        Operator how = Operator.ofStrings(all != null, isNegative);
        int at = all == null ? compiled.add(where.ordinal(), how, code) : compiled.add(where.ordinal(), how, code, all);
        keep(at, with);
    }

    /** Adds the condition that the value of a field is in a range, which includes both ends. */
    public void between(Field where, Object least, Object most) {
        range(ordered(where, least), false, where.bound(least, true), where.bound(most, false));
    }

    /** Adds the condition that the value of a field is {@code least} or greater. */
    public void atLeast(Field where, Object least) {
        range(ordered(where, least), false, where.bound(least, true), Long.MAX_VALUE);
    }

    /** Adds the condition that the value of a field is {@code most} or less. */
    public void atMost(Field where, Object most) {
        range(ordered(where, most), false, Long.MIN_VALUE, where.bound(most, false));
    }

    /** Adds the condition that the value of a field is greater than a bound. */
    public void greaterThan(Field where, Object bound) {
        long floor = ordered(where, bound).bound(bound, false);
        boolean isImpossible = floor == Long.MAX_VALUE;
        range(where, false, isImpossible ? 1 : floor + 1, isImpossible ? 0 : Long.MAX_VALUE);
    }

    /** Adds the condition that the value of a field is less than a bound. */
    public void lessThan(Field where, Object bound) {
        long ceiling = ordered(where, bound).bound(bound, true);
        boolean isImpossible = ceiling == Long.MIN_VALUE;
        range(where, false, isImpossible ? 1 : Long.MIN_VALUE, isImpossible ? 0 : ceiling - 1);
    }

    /** Adds the conditions that one field is {@code value} or less, and the other one is greater. */
    public void within(Field from, Field to, Object value) {
        fields.requireOwn(ordered(to, value));
        to.bound(value, false); // a value that one of the fields refuses adds no condition
        atMost(from, value);
        greaterThan(to, value);
    }

    /**
     * Adds the condition that some query matches by its conditions and wildcards alone, or that none does.
     *
     * @throws IllegalArgumentException if a query is of another index, or has an offering
     * @throws InvalidValueException if more than 256 queries are nested, or a query in itself
     */
    public void nest(boolean isNone, BoundQuery... queries) {
        if (!Arrays.stream(queries).allMatch(one -> one.fields == fields && !one.hasOffering)) {
            throw new IllegalArgumentException(
                    "query of another index or with an offering: " + Arrays.toString(queries));
        }
        compiled.add(new CompiledQuery.Group(isNone, List.of(queries)));
    }

    private static Field ordered(Field where, Object bound) {
        if (!where.type().isOrdered()) {
            throw new InvalidValueException(
                    "a string has no range: field=" + where.name() + " value=" + InvalidValueException.shown(bound));
        }
        return where;
    }

    /**
     * Adds the condition that the number of an ordered field is in a range, which includes both ends; if negative, that it is not.
     *
     * @param least least number as by {@link Field#number}; {@link Long#MIN_VALUE} for any
     * @param most greatest number likewise; {@link Long#MAX_VALUE} for any
     */
    public void range(Field where, boolean isNegative, long least, long most) {
        fields.requireOwn(where);
        Operator how = isNegative ? Operator.NOT_BETWEEN : Operator.BETWEEN;
        keep(compiled.add(where.ordinal(), how, least, most), KNOWN);
    }

    /** Adds the condition that a field has one of some values, or has one of them among several; if negative, that it has none. */
    public void in(Field where, Collection<?> values, boolean isNegative) {
        Operator how = isNegative ? Operator.NOT_IN : Operator.IN;
        fields.requireOwn(where);
        if (where.type().isOrdered()) {
            // a value that the field cannot have is left out, because no price has it
            numbers(
                    where,
                    isNegative,
                    values.stream()
                            .filter(value -> where.bound(value, true) == where.bound(value, false))
                            .mapToLong(value -> where.bound(value, true))
                            .sorted()
                            .distinct()
                            .toArray());
            return;
        }
        String[] texts =
                values.stream().map(value -> string(where, value)).distinct().toArray(String[]::new);
        keep(compiled.add(where.ordinal(), how, codes.byField[where.ordinal()].codes(texts)), texts);
    }

    /** Adds the condition that the number of an ordered field is one of some, which are distinct and in order; if negative, that it is none. */
    public void numbers(Field where, boolean isNegative, long... numbers) {
        fields.requireOwn(where);
        Operator how = isNegative ? Operator.NOT_IN : Operator.IN;
        keep(compiled.add(where.ordinal(), how, numbers), numbers);
    }

    private static String string(Field where, Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw InvalidValueException.of(where, value);
    }

    private void keep(int condition, Object with) {
        if (condition >= operand.length) {
            int known = operand.length;
            operand = Arrays.copyOf(operand, known * 2);
            Arrays.fill(operand, known, operand.length, KNOWN);
        }
        if (operand[condition] != with) { // rare; storing a reference is slower than this test
            operand[condition] = with;
        }
    }

    /**
     * Looks up the strings in the dictionaries of a snapshot, unless they were looked up there before.
     *
     * @return false if no price can match
     */
    public boolean bind(Snapshot.Codes next) {
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

    /** A receiver of the conditions of a query, in the order in which they were added; those on nested queries last. */
    public interface Visitor {
        /** Takes the condition that a string field has a text; if negative, that it has not. */
        void text(Field field, boolean isNegative, String text);

        /** Takes the condition that a string field has one of some texts; if negative, that it has none. */
        void texts(Field field, boolean isNegative, String... texts);

        /** Takes the condition that the number of an ordered field is one of some; if negative, that it is none. */
        void numbers(Field field, boolean isNegative, long... numbers);

        /** Takes the condition that the number of an ordered field is in a range, as by {@link BoundQuery#range}. */
        void range(Field field, boolean isNegative, long least, long most);

        /** Takes the condition that one of some queries matches, or that none does. */
        void nested(boolean isNone, List<BoundQuery> queries);
    }

    /** Passes on all conditions. A query that gets the same ones by the methods of this class matches the same prices. */
    public void visit(Visitor visitor) {
        for (int i = 0; i < compiled.size; i++) {
            boolean isNegative = compiled.operator[i].isNegative;
            if (operand[i] instanceof String[] texts) {
                visitor.texts(field(i), isNegative, texts);
            } else if (!compiled.isOrdered[i]) {
                visitor.text(field(i), isNegative, text(i));
            } else if (operand[i] instanceof long[] numbers) {
                visitor.numbers(field(i), isNegative, numbers);
            } else {
                visitor.range(field(i), isNegative, compiled.low[i], compiled.high[i]);
            }
        }
        for (CompiledQuery.Group group : compiled.groups) {
            visitor.nested(group.isNone(), group.queries());
        }
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

    private String text(int condition) {
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
    public @Nullable String offeringText() {
        if (!hasOffering) {
            return null;
        }
        return compiled.offering == CompiledQuery.ANY ? unknownOffering : codes.offerings.value(compiled.offering);
    }

    /** Returns a number that is equal for queries of the same matches, and almost always another one for others. */
    public int fingerprint() {
        int hash = Objects.hash(offeringText(), hasWildcards(), policy == MatchPolicy.SPECIFIC);
        return conditions(policy == MatchPolicy.SPECIFIC ? 31 * hash + Arrays.hashCode(precedence) : hash);
    }

    private int conditions(int before) {
        int hash = before;
        for (int i = 0; i < compiled.size; i++) {
            hash = 31 * hash + shown(i).hashCode();
        }
        for (CompiledQuery.Group group : compiled.groups) {
            hash = 31 * hash + Boolean.hashCode(group.isNone());
            for (BoundQuery one : group.queries()) {
                hash = one.conditions(31 * hash + Boolean.hashCode(one.hasWildcards()));
            }
            hash = 31 * hash + group.queries().size();
        }
        return hash;
    }
}
