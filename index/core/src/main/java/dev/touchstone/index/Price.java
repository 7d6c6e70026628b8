package dev.touchstone.index;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A price and the conditions under which it applies. Immutable.
 *
 * @param id id of the price, unique in its offering and not empty; a UUID in lower case takes 16 bytes of an index
 * @param offering key by which prices are grouped, not null
 * @param conditions values by the names of fields, each a {@link String}, {@link Long}, {@link BigDecimal} or {@link java.time.Instant}. A field that
 *     is missing here has no value: {@code eq}, {@code in} and ranges do not match it, {@code ne} and {@code notIn} do. A field of strings may have a
 *     {@link Collection} of 1 to {@value #MAX_VALUES} strings, of which each makes {@code eq} and {@code in} match; it becomes an unmodifiable
 *     {@link Set} in the order of {@link String#compareTo}, or its string if it has one only
 * @param value value, with at most 18 digits before the decimal point, behind it, and in total
 * @param currency currency, or empty; not null
 * @param isDefault whether {@link MatchPolicy#DEFAULT} prefers the price
 * @param payload any text that belongs to the price, or null; an empty text becomes null
 */
public record Price(
        String id,
        String offering,
        Map<String, Object> conditions,
        BigDecimal value,
        String currency,
        boolean isDefault,
        @Nullable String payload) {
    /** Maximum number of values that a price can be given of one field. */
    public static final int MAX_VALUES = 1000;

    /**
     * Creates a price with a copy of the conditions.
     *
     * @throws InvalidValueException if the id is empty, the value has too many digits, or a collection is empty, has too many values, or one that is
     *     not a string
     */
    public Price {
        Objects.requireNonNull(offering, "offering");
        Objects.requireNonNull(currency, "currency");
        conditions = Map.copyOf(withSets(id, conditions));
        payload = payload == null || payload.isEmpty() ? null : payload;
        if (id.isEmpty()) {
            throw new InvalidValueException("id is empty: offering=" + InvalidValueException.shown(offering));
        }
        value = value.scale() < 0 && value.scale() > -Field.MAX_SCALE ? value.setScale(0) : value;
        if (value.precision() > Field.MAX_SCALE
                || value.scale() > Field.MAX_SCALE
                || value.precision() - (long) value.scale() > Field.MAX_SCALE) {
            throw new InvalidValueException(
                    "value has more than " + Field.MAX_SCALE + " digits: id=" + InvalidValueException.shown(id)
                            + " value=" + (value.precision() > 40 ? value.precision() + " digits" : value));
        }
    }

    /** Returns conditions in which each collection is a set in order or a single value. */
    private static Map<String, Object> withSets(String id, Map<String, Object> conditions) {
        boolean hasSets = false;
        for (Object value : conditions.values()) { // most have none, and each price comes here
            hasSets |= value instanceof Collection<?>;
        }
        if (!hasSets) {
            return conditions;
        }
        Map<String, Object> own = new HashMap<>(conditions);
        own.replaceAll((field, value) -> value instanceof Collection<?> values ? oneOrSet(id, field, values) : value);
        return own;
    }

    private static Object oneOrSet(String id, String field, Collection<?> values) {
        Object[] copy = values.toArray(); // another thread may change the collection
        if (copy.length == 0 || copy.length > MAX_VALUES) {
            throw new InvalidValueException(
                    "number of values of a field is wrong: id=" + InvalidValueException.shown(id) + " field=" + field
                            + " values=" + copy.length + " expected=1 to " + MAX_VALUES);
        }
        Set<String> texts = new TreeSet<>();
        for (Object value : copy) {
            if (!(value instanceof String text)) {
                throw new InvalidValueException(
                        "one of several values is not a string: id=" + InvalidValueException.shown(id)
                                + " field=" + field + " class="
                                + (value == null ? "null" : value.getClass().getSimpleName()));
            }
            texts.add(text);
        }
        return texts.size() == 1 ? texts.iterator().next() : Collections.unmodifiableSet(texts);
    }

    /**
     * Returns a price without currency and payload that is not a default one.
     *
     * @param id id of the price, unique in its offering and not empty
     * @param offering key by which prices are grouped
     * @param conditions values by the names of fields
     * @param value value of at most 18 digits
     * @return price
     * @throws InvalidValueException as by the constructor
     */
    public static Price of(String id, String offering, Map<String, Object> conditions, BigDecimal value) {
        return new Price(id, offering, conditions, value, "", false, null);
    }
}
