package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries look their strings up when they are given to them: also in a version that is not the one which is searched. */
@Timeout(60)
class QueryCodesTest {
    private static Price price(String id, String offering, Map<String, Object> conditions) {
        return new Price(id, offering, conditions, BigDecimal.ONE, "EUR", false, null);
    }

    private static Price price(String id, String offering, String color) {
        return price(id, offering, Map.of("color", color));
    }

    private static List<String> ids(PriceIndex index, PriceQuery query) {
        return index.search(query.policy(MatchPolicy.ALL)) instanceof SearchResult.Found found
                ? found.prices().stream().map(Price::id).toList()
                : List.of();
    }

    @Test
    void search_withStringsThatCameLater_findsThem() {
        PriceIndex index = PriceIndex.builder().string("color").build(List.of(price("p1", "o1", "red")));
        PriceQuery equal = index.query().offering("o2").eq("color", "blue");
        PriceQuery other = index.query().ne("color", "blue");
        PriceQuery among = index.query().in("color", List.of("blue", "green"));
        byte[] utf8 = "o2blue".getBytes(StandardCharsets.UTF_8);
        PriceQuery bytes = index.query().offering(utf8, 0, 2).eq(index.field("color"), utf8, 2, 6);
        utf8[0] = 'x'; // nothing of it is kept
        assertThat(ids(index, equal)).isEmpty();
        assertThat(ids(index, other)).containsExactly("p1");
        assertThat(ids(index, among)).isEmpty();
        assertThat(ids(index, bytes)).isEmpty();

        index.update(new PriceBatch().put(price("p2", "o2", "blue")).put(price("p3", "o1", "green")));

        assertThat(ids(index, equal)).containsExactly("p2");
        assertThat(ids(index, other)).containsExactly("p1", "p3");
        assertThat(ids(index, among)).containsExactly("p3", "p2");
        assertThat(ids(index, bytes)).containsExactly("p2");
        assertThat(equal).hasToString("offering o2, color = blue");
        assertThat(among).hasToString("offering null, color in [blue, green]");
    }

    @Test
    void search_ofAnIndexWithOtherStringsUnderTheSameCodes_goesByTheStrings() {
        PriceIndex one = PriceIndex.builder().string("color").build(List.of(price("p1", "o1", "red")));
        PriceIndex two = one.copy();
        one.update(new PriceBatch().put(price("p2", "o2", "blue")));
        two.update(new PriceBatch().put(price("p3", "o3", "green")).put(price("p4", "o2", "blue")));

        PriceQuery blue = one.query().offering("o2").eq("color", "blue");
        PriceQuery green = two.query().offering("o3").eq("color", "green");
        for (int i = 0; i < 3; i++) {
            assertThat(ids(one, blue)).containsExactly("p2");
            assertThat(ids(two, blue)).containsExactly("p4");
            assertThat(ids(one, green)).isEmpty();
            assertThat(ids(two, green)).containsExactly("p3");
            assertThat(blue).hasToString("offering o2, color = blue");
            assertThat(green).hasToString("offering o3, color = green");
        }
    }

    /** The code of a string that is gone is given to another one; queries that were made before do not find its prices. */
    @Test
    void search_whenACodeHasGotAnotherString_goesByTheStrings() {
        PriceIndex index = PriceIndex.builder()
                .string("color")
                .build(List.of(price("p1", "o1", "red"), price("p2", "o2", "green")));
        PriceQuery red = index.query().offering("o1").eq("color", "red");
        PriceQuery notRed = index.query().ne("color", "red");
        PriceQuery reds = index.query().in("color", List.of("red", "purple"));
        PriceQuery green = index.query().eq("color", "green");
        index.update(new PriceBatch().put(price("p1", "o1", "blue")));
        index.update(new PriceBatch().put(price("p3", "o1", "yellow")));
        assertThat(index.stats().values()).isEqualTo(3);
        assertThat(ids(index, red)).isEmpty();
        assertThat(ids(index, notRed)).containsExactly("p1", "p3", "p2");
        assertThat(ids(index, reds)).isEmpty();
        assertThat(ids(index, green)).containsExactly("p2");
        assertThat(red).hasToString("offering o1, color = red");
        index.update(new PriceBatch().put(price("p1", "o1", "red")).remove("o2", "p2"));
        assertThat(ids(index, red)).containsExactly("p1");
        assertThat(ids(index, notRed)).containsExactly("p3");
        assertThat(ids(index, reds)).containsExactly("p1");
        assertThat(ids(index, green)).isEmpty();
        assertThat(index.stats().values()).isEqualTo(2);
    }

    @Test
    void search_ofOneStringForEachField_findsWhatAComparisonFinds() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Map<String, Object> conditions =
                    Map.of("a", "a" + random.nextInt(4), "b", "b" + random.nextInt(40), "c", "c" + random.nextInt(2));
            prices.add(price("p" + i, "o" + random.nextInt(3), conditions));
        }
        PriceIndex index = PriceIndex.builder().string("a", "b", "c").build(prices);
        for (int i = 0; i < 2000; i++) {
            String offering = "o" + random.nextInt(4);
            List<Condition> conditions = new ArrayList<>(List.of(
                    equal(index, "c", "c" + random.nextInt(3)),
                    equal(index, "a", "a" + random.nextInt(4)),
                    equal(index, "b", "b" + random.nextInt(41))));
            if (random.nextInt(4) == 0) {
                conditions.add(equal(index, "b", "b" + random.nextInt(40))); // no row has two
            }
            PriceQuery query = Answers.query(index, offering, conditions);
            List<Price> expected = Answers.matching(prices, offering, conditions);
            Answers.assertAnswers(index, query, expected, 1, "seed=" + seed + " " + query);
        }
    }

    private static Condition equal(PriceIndex index, String field, String value) {
        return new Condition(index.field(field), Condition.Kind.EQ, List.of(value));
    }

    /** The codes of all rows are the highest of their fields, and fill the word to the last bit. */
    @Test
    void search_forARowOfOnesOnly_findsIt() {
        List<Price> prices = new ArrayList<>();
        for (int i = 1; i < 256; i++) {
            prices.add(price("p" + i, "o1", all(String.valueOf(i))));
        }
        String[] names = all("").keySet().toArray(String[]::new);
        PriceIndex index = PriceIndex.builder().string(names).build(prices);
        PriceQuery last = index.query().offering("o1");
        all("255").forEach(last::eq);
        assertThat(ids(index, last)).containsExactly("p255");
        PriceQuery none = index.query().offering("o1");
        all("255").forEach(none::eq);
        none.clear().offering("o1");
        for (String name : names) {
            none.eq(name, name.equals("f3") ? "7" : "255");
        }
        assertThat(ids(index, none)).isEmpty();
    }

    private static Map<String, Object> all(String value) {
        return Map.of(
                "f1", value, "f2", value, "f3", value, "f4", value, "f5", value, "f6", value, "f7", value, "f8", value);
    }
}
