package dev.touchstone.index.entry;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An id with values of typed fields. Immutable.
 *
 * @param id id of the entry, unique in its group and not empty; a UUID in lower case takes 16 bytes of an index
 * @param group key by which entries are grouped, so that a search of one group looks at no other entry; empty for none
 * @param fields values by the names of fields, each a {@link String}, {@link Long}, {@link BigDecimal} or {@link java.time.Instant}, or a collection of
 *     1 to {@value Price#MAX_VALUES} strings, any of which matches. A field that is missing here has no value
 * @param isPreferred whether {@link dev.touchstone.index.MatchPolicy#DEFAULT} prefers the entry
 * @param payload any text that belongs to the entry, or null; an empty text becomes null
 */
public record Entry(
        String id,
        String group,
        Map<String, Object> fields,
        boolean isPreferred,
        @Nullable String payload) {
    /**
     * Creates an entry with a copy of the fields.
     *
     * @throws InvalidValueException if the id is empty, or a collection is empty, has too many values, or one that is not a string
     */
    public Entry {
        Price checked = new Price(id, group, fields, BigDecimal.ZERO, "", isPreferred, payload);
        fields = checked.conditions();
        payload = checked.payload();
    }

    /**
     * Returns an entry without a group and a payload that is not preferred.
     *
     * @param id id of the entry, not empty
     * @param fields values by the names of fields
     * @return entry
     * @throws InvalidValueException as the constructor does
     */
    public static Entry of(String id, Map<String, Object> fields) {
        return new Entry(id, "", fields, false, null);
    }

    /**
     * Returns the same entry in a group.
     *
     * @param key key of the group; empty for none
     * @return a new entry
     */
    public Entry in(String key) {
        return new Entry(id, key, fields, isPreferred, payload);
    }

    /**
     * Returns the same entry with a payload.
     *
     * @param text any text, or null for none
     * @return a new entry
     */
    public Entry with(@Nullable String text) {
        return new Entry(id, group, fields, isPreferred, text);
    }

    /** Returns the price that stands for this entry at a place, which is the value of the price. */
    Price price(long place) {
        return new Price(id, group, fields, BigDecimal.valueOf(place), "", isPreferred, payload);
    }

    /** Returns the entry for which a price stands. */
    static Entry of(Price price) {
        return new Entry(price.id(), price.offering(), price.conditions(), price.isDefault(), price.payload());
    }
}
