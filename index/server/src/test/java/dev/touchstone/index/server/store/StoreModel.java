package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A plain model of the versions of an index, and a source of random batches. */
final class StoreModel {
    private static final int OFFERINGS = 5;
    private static final List<String> TEXTS = List.of("", "north", "süd", "東", "\uD83D\uDE00", "a\u0000b");

    private final SplittableRandom random;
    private final List<Map<String, Price>> versions =
            new ArrayList<>(); // by number of the version, minus 1; prices by offering and id

    StoreModel(SplittableRandom random) {
        this.random = random;
        versions.add(Map.of());
    }

    static PriceIndex empty() {
        return PriceIndex.builder()
                .string("region", "customer")
                .integer("months")
                .decimal("size", 2)
                .dateTime("from")
                .build(List.of());
    }

    long version() {
        return versions.size();
    }

    /** Returns a random batch of up to so many changes, and adds the version that it makes. */
    PriceBatch next(int changes) {
        Map<String, Price> prices = new HashMap<>(versions.get(versions.size() - 1));
        PriceBatch batch = new PriceBatch();
        int count = random.nextInt(changes + 1);
        for (int i = 0; i < count; i++) {
            String offering = "offering " + random.nextInt(OFFERINGS);
            String id = random.nextBoolean()
                    ? "00000000-0000-0000-0000-0000000000" + (10 + random.nextInt(20))
                    : "id" + TEXTS.get(random.nextInt(TEXTS.size()));
            if (random.nextInt(4) == 0) {
                batch.remove(offering, id);
                prices.remove(offering + "/" + id);
            } else {
                Price price = price(offering, id);
                batch.put(price);
                prices.put(offering + "/" + id, price);
            }
        }
        versions.add(prices);
        return batch;
    }

    private Price price(String offering, String id) {
        Map<String, Object> conditions = new HashMap<>();
        if (random.nextBoolean()) {
            conditions.put("region", TEXTS.get(random.nextInt(TEXTS.size())));
        }
        if (random.nextInt(3) == 0) {
            String customer = "customer " + random.nextInt(50);
            conditions.put(
                    "customer", random.nextBoolean() ? customer : List.of(customer, "customer " + random.nextInt(9)));
        }
        if (random.nextBoolean()) {
            conditions.put("months", random.nextInt(10) == 0 ? Long.MIN_VALUE : random.nextLong(-3, 30));
        }
        if (random.nextBoolean()) {
            conditions.put("size", BigDecimal.valueOf(random.nextLong(-1000, 1000), 2));
        }
        if (random.nextInt(3) == 0) {
            conditions.put("from", Instant.EPOCH.plusNanos(random.nextLong(-1_000_000, 1_000_000) * 1000));
        }
        return new Price(
                id,
                offering,
                conditions,
                BigDecimal.valueOf(
                        random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L), random.nextInt(19)),
                random.nextBoolean() ? "EUR" : "",
                random.nextInt(8) == 0,
                random.nextInt(3) == 0 ? "payload " + TEXTS.get(random.nextInt(TEXTS.size())) : null);
    }

    /** Checks that an index has exactly the prices of the model at the version of the index. */
    void check(PriceIndex index, String what) {
        Map<String, Price> found = new HashMap<>();
        for (int i = 0; i < OFFERINGS; i++) {
            for (Price price : index.prices("offering " + i)) {
                found.put(price.offering() + "/" + price.id(), price);
            }
        }
        assertThat(index.version()).as(what).isBetween(1L, version());
        assertThat(found).as(what).isEqualTo(versions.get((int) index.version() - 1));
    }
}
