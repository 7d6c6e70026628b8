package dev.touchstone.index.server.api;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A few prices with fields of all types: 3 offerings, 2 groups, 2 specs, 3 colours, 4 terms; {@code dup} has two prices under the same
 * conditions, {@code several} one with two colours.
 */
public final class SamplePrices {
    private SamplePrices() {}

    public static PriceIndex index() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 144; i++) {
            Map<String, Object> conditions = new HashMap<>();
            conditions.put("group", "group" + i / 3 % 2);
            conditions.put("spec", i / 6 % 2 == 0 ? "MRC" : "N\"R\u00e9C");
            conditions.put("colour", List.of("red", "green", "blau gr\u00fcn").get(i / 12 % 3));
            conditions.put("term", 12L * (i / 36 % 4));
            conditions.put("amount", BigDecimal.valueOf(i, 2));
            conditions.put("from", Instant.EPOCH.plusSeconds(i));
            prices.add(new Price(
                    "id-" + i, "o" + i % 3, conditions, BigDecimal.valueOf(5L * i, 1), "EUR", false, "p" + i));
        }
        prices.add(Price.of("1", "dup", Map.of("colour", "red"), BigDecimal.ONE));
        prices.add(Price.of("2", "dup", Map.of("colour", "red"), BigDecimal.TEN));
        prices.add(Price.of("s", "several", Map.of("colour", List.of("red", "gold"), "term", 12L), BigDecimal.ONE));
        return PriceIndex.builder()
                .string("colour")
                .integer("term")
                .string("group", "spec")
                .decimal("amount", 2)
                .dateTime("from")
                .build(prices);
    }
}
