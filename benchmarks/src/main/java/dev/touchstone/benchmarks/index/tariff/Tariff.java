package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A price of a tariff list: a number from 0, an offering, and for each field a value, or null where the price is for all values.
 *
 * <p>No two prices of a list have the same offering and values, so that at most one match is the most specific one.
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record Tariff(int number, String offering, @Nullable String[] values) {
    /** Returns a bit for each field that the price has a value of, the highest bit for the first field, which decides first. */
    int specificity() {
        int bits = 0;
        for (String value : values) {
            bits = bits << 1 | (value == null ? 0 : 1);
        }
        return bits;
    }

    /** Returns the price whose value is the number. */
    Price price() {
        Map<String, Object> conditions = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            if (value != null) {
                conditions.put(TariffList.field(i), value);
            }
        }
        return new Price("price-" + number, offering, conditions, BigDecimal.valueOf(number), "EUR", false, null);
    }
}
