package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Values of prices and requests as engines have them that know strings and integers only; the same form for all of them. */
final class Stored {
    private Stored() {}

    /** A string or null as it is; a number or a time as a {@link Long} that is ordered as it is. */
    static @Nullable Object value(Field field, @Nullable Object value) {
        if (value instanceof Instant instant) {
            return instant.getEpochSecond();
        }
        return value instanceof BigDecimal decimal
                ? (Object) decimal.setScale(field.scale()).unscaledValue().longValueExact()
                : value;
    }

    /** A value of an ordered field. */
    static long number(Field field, Object value) {
        if (value(field, value) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("no number: field=" + field.name() + " value=" + value);
    }
}
