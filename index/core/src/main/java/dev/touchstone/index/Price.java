package dev.touchstone.index;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One price and the conditions under which it applies. Immutable.
 *
 * @param id names it within its offering; not empty. A UUID in lower case is held in 16 bytes
 * @param offering the key by which prices are grouped
 * @param conditions its values by field name: {@link String}, {@link Long}, {@link BigDecimal} or {@link java.time.Instant}. A field that is not
 *     in here has no value: {@code eq}, {@code in} and ranges don't match it, {@code ne} and {@code notIn} do
 * @param value of at most 18 digits
 * @param currency may be empty
 * @param isDefault whether it is preferred by {@link MatchPolicy#DEFAULT}
 * @param payload free-form text that goes with it, or null; an empty one is none
 */
public record Price(
        String id,
        String offering,
        Map<String, Object> conditions,
        BigDecimal value,
        String currency,
        boolean isDefault,
        @Nullable String payload) {
    /** The most that a value is without its point, with either sign. */
    static final long MAX_UNSCALED = 999_999_999_999_999_999L;

    public Price {
        Objects.requireNonNull(offering, "offering");
        Objects.requireNonNull(currency, "currency");
        conditions = Map.copyOf(conditions);
        payload = payload == null || payload.isEmpty() ? null : payload;
        if (id.isEmpty()) {
            throw new InvalidValueException("id is empty: offering=" + FieldType.shown(offering));
        }
        value = value.scale() < 0 && value.scale() > -Field.MAX_SCALE ? value.setScale(0) : value;
        if (value.precision() > Field.MAX_SCALE
                || value.scale() > Field.MAX_SCALE
                || value.precision() - (long) value.scale() > Field.MAX_SCALE) {
            throw new InvalidValueException(
                    "value has more than " + Field.MAX_SCALE + " digits: id=" + FieldType.shown(id) + " value="
                            + (value.precision() > 40 ? value.precision() + " digits" : value));
        }
    }

    /** A price without currency and payload, that is not a default one. */
    public static Price of(String id, String offering, Map<String, Object> conditions, BigDecimal value) {
        return new Price(id, offering, conditions, value, "", false, null);
    }
}
