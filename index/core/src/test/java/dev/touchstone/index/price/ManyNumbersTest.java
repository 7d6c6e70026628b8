package dev.touchstone.index.price;

import dev.touchstone.index.Price;
import dev.touchstone.index.engine.QueryAccess;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Conditions with choices of few and many numbers, beside a plain comparison of values. */
class ManyNumbersTest {
    private static final int QUERIES = 400;
    private static final int PRICES = 3_000;
    private static final int DISTINCT = 500;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void search_choiceOfNumbers_answersAsAModel() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < PRICES; i++) {
            Map<String, Object> conditions = new HashMap<>();
            if (random.nextInt(8) > 0) {
                conditions.put("number", (long) random.nextInt(DISTINCT));
            }
            conditions.put("rare", "r" + random.nextInt(60));
            conditions.put("common", "c" + random.nextInt(3));
            prices.add(Price.of("p" + i, "o", conditions, BigDecimal.valueOf(i)));
        }
        PriceIndex index =
                PriceIndex.builder().integer("number").string("rare", "common").build(prices);
        for (int i = 0; i < QUERIES; i++) {
            List<Condition> conditions = new ArrayList<>();
            conditions.add(choice(index));
            if (random.nextBoolean()) {
                conditions.add(choice(index));
            }
            if (random.nextBoolean()) {
                String field = random.nextBoolean() ? "rare" : "common";
                String value = field.charAt(0) + "" + random.nextInt(4);
                conditions.add(new Condition(index.field(field), Condition.Kind.EQ, List.of(value)));
            }
            boolean hasWildcards = random.nextBoolean();
            PriceQuery query = Answers.query(index, "o", conditions).wildcards(hasWildcards);
            if (i % 2 == 1) {
                QueryAccess.neverScan(query.bound);
            }
            Answers.assertAnswers(
                    index,
                    query,
                    Answers.matching(prices, "o", conditions, hasWildcards),
                    1,
                    "seed=" + seed + " query=" + i + " " + conditions);
        }
    }

    private Condition choice(PriceIndex index) {
        int count = new int[] {0, 1, 31, 32, 33, 34, 300}[random.nextInt(7)];
        List<Object> numbers = Stream.generate(() -> (Object) (long) (random.nextInt(2 * DISTINCT) - DISTINCT / 2))
                .limit(count)
                .toList();
        return new Condition(
                index.field("number"), random.nextBoolean() ? Condition.Kind.IN : Condition.Kind.NOT_IN, numbers);
    }
}
