package dev.touchstone.index.samples;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prices that are valid at a point in time and for an amount, and why none is. */
final class Ranges {
    private Ranges() {}

    /** Returns the condition that leaves nothing of a year's prices. */
    static String run() {
        List<Price> prices = new ArrayList<>();
        for (int month = 1; month <= 12; month++) {
            Map<String, Object> conditions = Map.of(
                    "from", Instant.parse(String.format(Locale.ROOT, "2026-%02d-01T00:00:00Z", month)),
                    "least", BigDecimal.valueOf(month * 100L));
            prices.add(Price.of("month-" + month, "energy", conditions, BigDecimal.valueOf(month)));
        }
        PriceIndex index =
                PriceIndex.builder().dateTime("from").decimal("least", 2).build(prices);
        PriceQuery query = index.query()
                .offering("energy")
                .between("from", Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-06-30T00:00:00Z"))
                .lessThan(index.field("least"), new BigDecimal("250.00"))
                .policy(MatchPolicy.ALL);
        Explanation explanation = index.explain(query); // two conditions that no price meets together
        return explanation.killer().map(Explanation.Step::condition).orElse("none");
    }
}
