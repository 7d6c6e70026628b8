package dev.touchstone.index.hazelcast;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Random changes of few prices in few offerings, so that changes of different writers meet. */
final class RandomBatches {
    private static final List<String> TEXTS = List.of("north", "süd", "東", "\uD83D\uDE00", "a\u0000b");

    private final SplittableRandom random;

    RandomBatches(long seed) {
        random = new SplittableRandom(seed);
    }

    static PriceIndex empty() {
        return PriceIndex.builder()
                .string("region", "customer")
                .integer("months")
                .decimal("size", 2)
                .dateTime("from")
                .build(List.of());
    }

    /** Returns up to so many changes. */
    PriceBatch next(int changes) {
        PriceBatch batch = new PriceBatch();
        for (int i = random.nextInt(changes + 1); i > 0; i--) {
            String offering = "offering " + random.nextInt(4);
            String id = "price " + random.nextInt(12);
            if (random.nextInt(4) == 0) {
                batch.remove(offering, id);
            } else {
                batch.put(price(offering, id));
            }
        }
        return batch;
    }

    private Price price(String offering, String id) {
        Map<String, Object> conditions = new HashMap<>();
        if (random.nextBoolean()) {
            conditions.put("region", TEXTS.get(random.nextInt(TEXTS.size())));
        }
        if (random.nextBoolean()) {
            conditions.put("customer", List.of("x" + random.nextInt(5), "y"));
        }
        conditions.put("months", (long) random.nextInt(40));
        conditions.put("size", BigDecimal.valueOf(random.nextInt(1000), 2));
        conditions.put("from", Instant.ofEpochSecond(random.nextInt()));
        return new Price(
                id,
                offering,
                conditions,
                BigDecimal.valueOf(random.nextInt(100_000), 2),
                random.nextBoolean() ? "EUR" : "",
                random.nextInt(8) == 0,
                random.nextBoolean() ? "payload " + random.nextInt() : null);
    }
}
