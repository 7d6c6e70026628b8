package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Prices, batches and queries from a seed: all types of fields, missing and several values, defaults, offerings that come and go. */
final class ShardedPrices {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run
    private static final List<String> FIELDS = List.of("owner", "country", "group", "level", "factor", "from");
    private static final Function<String, Field> FIELD = schema()::field;
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());
    private static final int VALUES = 4;

    final long seed = SEEDS.getAndIncrement();
    final Random random = new Random(seed);
    private final String owner;
    private final int offerings;

    /** Prices of one owner, whose name their offerings begin with, and who is a value of their first field. */
    ShardedPrices(String owner, int offerings) {
        this.owner = owner;
        this.offerings = offerings;
    }

    static PriceIndex schema() {
        return PriceIndex.builder()
                .string("owner", "country", "group")
                .integer("level")
                .decimal("factor", 2)
                .dateTime("from")
                .build(List.of());
    }

    /** Returns one of the owner's offerings, the first ones more often. */
    String offering() {
        return offering((int) (offerings * Math.pow(random.nextDouble(), 2)));
    }

    String offering(int number) {
        return owner + "-ä" + number;
    }

    Price price() {
        Map<String, Object> conditions = new HashMap<>(Map.of("owner", owner));
        for (String field : FIELDS.subList(1, FIELDS.size())) {
            if (random.nextInt(5) > 0) {
                conditions.put(field, field.equals("group") ? values(field) : value(field));
            }
        }
        return new Price(
                "p" + random.nextInt(12),
                offering(),
                conditions,
                BigDecimal.valueOf(random.nextInt(100_000), random.nextInt(3)),
                random.nextInt(4) == 0 ? "EUR" : "",
                random.nextInt(8) == 0,
                random.nextInt(10) == 0 ? "{\"note\":\"ü\"}" : null);
    }

    private Object value(String field) {
        int number = random.nextInt(VALUES);
        return switch (field) {
            case "level" -> (long) number;
            case "factor" -> BigDecimal.valueOf(number * 25L - 25, 2);
            case "from" -> Instant.ofEpochSecond(1_557_464_400L + number * 86_400L, number * 1000L);
            default -> field + number;
        };
    }

    private List<Object> values(String field) {
        return IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(i -> value(field))
                .toList();
    }

    /** Changes of up to a number of prices; now and then the removal of all prices of an offering. */
    PriceBatch batch(int most, PriceIndex model) {
        PriceBatch batch = new PriceBatch();
        for (int i = random.nextInt(most) + 1; i > 0; i--) {
            String offering = offering();
            if (random.nextInt(8) == 0) {
                model.prices(offering).forEach(price -> batch.remove(offering, price.id()));
            } else if (random.nextInt(3) == 0) {
                batch.remove(offering, "p" + random.nextInt(12));
            } else {
                batch.put(price());
            }
        }
        return batch;
    }

    /** A query of the owner's prices from a seed, for the index that makes blank ones. */
    PriceQuery query(Supplier<PriceQuery> blank, long querySeed) {
        Random own = new Random(querySeed);
        PriceQuery query =
                blank.get().policy(POLICIES.get(own.nextInt(POLICIES.size()))).limit(1 + own.nextInt(20));
        if (own.nextInt(3) > 0) {
            query.offering(offering(own.nextInt(offerings + 1)));
        }
        if (own.nextInt(3) == 0) {
            List<String> precedence = new ArrayList<>(FIELDS);
            Collections.shuffle(precedence, own);
            query.precedence(precedence.subList(0, own.nextInt(FIELDS.size() + 1)));
        }
        query.eq("owner", owner);
        conditions(query, blank, own, 1);
        return query;
    }

    private static void conditions(PriceQuery query, Supplier<PriceQuery> blank, Random own, int depth) {
        query.wildcards(own.nextBoolean());
        for (int i = own.nextInt(4); i > 0; i--) {
            int number = own.nextInt(VALUES);
            switch (own.nextInt(depth == 0 ? 8 : 10)) {
                case 0, 1 -> query.eq("country", "country" + number);
                case 2 -> query.ne("group", "group" + number);
                case 3 -> query.in("group", List.of("group" + number, "nobody has this"));
                case 4 -> query.atLeast(FIELD.apply("level"), (long) number);
                case 5 ->
                    query.between(FIELD.apply("factor"), new BigDecimal("-0.5"), BigDecimal.valueOf(number * 25L, 2));
                case 6 ->
                    query.lessThan(FIELD.apply("from"), Instant.ofEpochSecond(1_557_464_400L + number * 86_400L, 1000));
                case 7 -> query.notIn("level", List.of((long) number, 99L));
                case 8 -> query.anyOf(nested(blank, own), nested(blank, own));
                default -> query.noneOf(nested(blank, own));
            }
        }
    }

    private static PriceQuery nested(Supplier<PriceQuery> blank, Random own) {
        PriceQuery query = blank.get();
        conditions(query, blank, own, 0);
        return query;
    }

    /** Checks that a result is the one that a single index has, at whatever version. */
    static void assertSame(SearchResult result, SearchResult expected, String what) {
        assertThat(result.getClass() == expected.getClass() || expected instanceof SearchResult.Found)
                .as("%s result=%s expected=%s", what, result, expected)
                .isTrue();
        if (expected instanceof SearchResult.Ambiguous ambiguous) {
            assertThat(((SearchResult.Ambiguous) result).matches()).as(what).isEqualTo(ambiguous.matches());
        } else if (expected instanceof SearchResult.Found found) {
            assertThat(result).as(what).isInstanceOf(SearchResult.Found.class);
            assertThat(((SearchResult.Found) result).prices()).as(what).isEqualTo(found.prices());
            assertThat(((SearchResult.Found) result).matches()).as(what).isEqualTo(found.matches());
        }
    }
}
