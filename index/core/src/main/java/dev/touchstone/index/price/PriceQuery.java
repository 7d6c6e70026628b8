package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.engine.BoundQuery;
import dev.touchstone.index.engine.Fields;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query for prices: an offering, or any, and conditions that must all hold. Made by {@link PriceIndex#query} for the fields of that index.
 *
 * <p>A query holds the buffers of its searches, so that a query that is used again allocates nothing but the result: {@link #clear} it between
 * searches. Not thread-safe. Arguments must not be null. Methods throw {@link InvalidValueException} for a value that is not of the type of its
 * field, {@link UnknownFieldException} for the name of a field that the index does not have, and {@link IllegalArgumentException} for a field of
 * another index.
 */
public final class PriceQuery {
    final BoundQuery bound;
    private final PriceIndex index;

    PriceQuery(Fields fields, PriceIndex index) {
        this.index = index;
        bound = new BoundQuery(fields, index.codes());
    }

    /**
     * Removes the offering and all conditions. Policy, limit, precedence and wildcards stay.
     *
     * @return this query
     */
    public PriceQuery clear() {
        bound.clear(index.codes());
        return this;
    }

    /**
     * Restricts the search to the prices of one offering.
     *
     * @param key key of the offering
     * @return this query
     */
    public PriceQuery offering(String key) {
        bound.offering(key);
        return this;
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
        bound.offering(utf8, from, to);
        return this;
    }

    /**
     * Returns whether the search is restricted to one offering.
     *
     * @return whether an offering was set
     */
    public boolean hasOffering() {
        return bound.hasOffering();
    }

    /**
     * Returns the key of the offering to which the search is restricted.
     *
     * @return key of the offering, or null if none was set
     */
    public @Nullable String offering() {
        return bound.offeringText();
    }

    /**
     * Sets the policy for several matches; {@link MatchPolicy#DEFAULT} if not set.
     *
     * @param next policy
     * @return this query
     */
    public PriceQuery policy(MatchPolicy next) {
        bound.policy(next);
        return this;
    }

    /**
     * Returns the policy for several matches.
     *
     * @return policy
     */
    public MatchPolicy policy() {
        return bound.policy();
    }

    /**
     * Sets whether a price that has no value of a field meets every condition on that field, as in a list where a price without a country is for all
     * countries; false if not set. Otherwise such a price meets negative conditions only.
     *
     * @param areOn whether a missing value meets every condition
     * @return this query
     */
    public PriceQuery wildcards(boolean areOn) {
        bound.wildcards(areOn);
        return this;
    }

    /**
     * Returns whether a price that has no value of a field meets every condition on that field.
     *
     * @return whether wildcards are on
     */
    public boolean hasWildcards() {
        return bound.hasWildcards();
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
        bound.precedence(names);
        return this;
    }

    /**
     * Returns the fields by which {@link MatchPolicy#SPECIFIC} compares prices.
     *
     * @return names of the fields, the one that decides first in front; unmodifiable
     */
    public List<String> precedence() {
        return Arrays.stream(bound.precedence())
                .mapToObj(ordinal -> bound.fields().list.get(ordinal).name())
                .toList();
    }

    /**
     * Sets the maximum number of prices in the result for {@link MatchPolicy#ALL}; 100 if not set.
     *
     * @param most maximum number of prices, at least 1
     * @return this query
     * @throws IllegalArgumentException if the number is below 1
     */
    public PriceQuery limit(int most) {
        bound.limit(most);
        return this;
    }

    /**
     * Returns the maximum number of prices in the result for {@link MatchPolicy#ALL}.
     *
     * @return maximum number of prices, at least 1
     */
    public int limit() {
        return bound.limit();
    }

    /**
     * Adds the condition that the field has a value, or has it among several.
     *
     * @param name name of the field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery eq(String name, Object value) {
        return eq(bound.fields().named(name), value);
    }

    /**
     * Adds the condition that the field has a value, or has it among several.
     *
     * @param where field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery eq(Field where, Object value) {
        bound.equal(where, value, false);
        return this;
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
        bound.equal(where, utf8, from, to);
        return this;
    }

    /**
     * Adds the condition that the field has another value, or no value: where {@link #eq} does not hold.
     *
     * @param name name of the field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery ne(String name, Object value) {
        return ne(bound.fields().named(name), value);
    }

    /**
     * Adds the condition that the field has another value, or no value: where {@link #eq} does not hold.
     *
     * @param where field
     * @param value value of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery ne(Field where, Object value) {
        bound.equal(where, value, true);
        return this;
    }

    /**
     * Adds the condition that the field has one of some values, or has one of them among several.
     *
     * @param name name of the field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery in(String name, Collection<?> values) {
        return in(bound.fields().named(name), values);
    }

    /**
     * Adds the condition that the field has one of some values, or has one of them among several.
     *
     * @param where field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery in(Field where, Collection<?> values) {
        bound.in(where, values, false);
        return this;
    }

    /**
     * Adds the condition that the field has none of some values, or no value at all: where {@link #in} does not hold.
     *
     * @param name name of the field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery notIn(String name, Collection<?> values) {
        return notIn(bound.fields().named(name), values);
    }

    /**
     * Adds the condition that the field has none of some values, or no value at all: where {@link #in} does not hold.
     *
     * @param where field
     * @param values values of the class that the type of the field names; see {@link FieldType}
     * @return this query
     */
    public PriceQuery notIn(Field where, Collection<?> values) {
        bound.in(where, values, true);
        return this;
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
        return between(bound.fields().named(name), least, most);
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
        bound.between(where, least, most);
        return this;
    }

    /**
     * Adds the condition that the value of the field is {@code least} or greater.
     *
     * @param where field
     * @param least least value, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery atLeast(Field where, Object least) {
        bound.atLeast(where, least);
        return this;
    }

    /**
     * Adds the condition that the value of the field is {@code most} or less.
     *
     * @param where field
     * @param most greatest value, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery atMost(Field where, Object most) {
        bound.atMost(where, most);
        return this;
    }

    /**
     * Adds the condition that the value of the field is greater than a bound.
     *
     * @param where field
     * @param value bound, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery greaterThan(Field where, Object value) {
        bound.greaterThan(where, value);
        return this;
    }

    /**
     * Adds the condition that the value of the field is less than a bound.
     *
     * @param where field
     * @param value bound, of the class that the type of the field names; the field must not be of strings
     * @return this query
     */
    public PriceQuery lessThan(Field where, Object value) {
        bound.lessThan(where, value);
        return this;
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
        bound.within(from, to, value);
        return this;
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
        bound.nest(isNone, Arrays.stream(queries).map(one -> one.bound).toArray(BoundQuery[]::new));
        return this;
    }

    @Override
    public String toString() {
        return bound.toString();
    }
}
