package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.QueryAccess;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The index answers as a plain comparison of values does, and as a database does: 10 000 random queries of every operator. */
@Tag("sweep")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineParityTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @CsvSource({
        // fields, distinct values, offerings, prices, queries
        "6, 5, 3, 150, 4000", //
        "4, 40, 12, 300, 3000",
        "8, 3, 1, 300, 2000",
        "12, 300, 2, 800, 1000",
    })
    void search_randomQueries_answersAsAModelAndADatabase(
            int fields, int distinct, int offerings, int count, int queries) throws SQLException {
        RandomPrices random = new RandomPrices(seed, fields, distinct, offerings);
        List<Price> prices = random.prices(count);
        PriceIndex index = random.builder().build(prices);
        List<Price> ordered = inOrder(index, prices);
        try (Connection database = database(ordered, fields)) {
            for (int i = 0; i < queries; i++) {
                String offering = random.random.nextInt(4) == 0 ? null : random.offering();
                List<Condition> conditions = random.random.nextInt(4) == 0
                        ? random.whole(prices.get(random.random.nextInt(count)))
                        : random.conditions(5);
                String what = "seed=" + seed + " fields=" + fields + " query=" + i + " offering=" + offering + " "
                        + conditions;
                boolean hasWildcards = random.random.nextBoolean();
                List<Price> expected = Answers.matching(ordered, offering, conditions, hasWildcards);
                assertThat(inDatabase(database, offering, conditions, hasWildcards))
                        .as(what)
                        .isEqualTo(expected.size());
                PriceQuery query = Answers.query(index, offering, conditions).wildcards(hasWildcards);
                if (i % 2 == 1) {
                    QueryAccess.neverScan(query.bound);
                }
                Answers.assertAnswers(index, query, expected, 1, what);
            }
        }
    }

    private static List<Price> inOrder(PriceIndex index, List<Price> prices) {
        Map<String, List<Price>> byOffering = prices.stream()
                .collect(Collectors.groupingBy(Price::offering, LinkedHashMap::new, Collectors.toList()));
        List<Price> ordered = new ArrayList<>();
        byOffering.forEach((offering, some) -> {
            assertThat(index.prices(offering)).isEqualTo(some);
            ordered.addAll(some);
        });
        return ordered;
    }

    static Connection database(List<Price> prices, int fields) throws SQLException {
        Connection database = DriverManager.getConnection("jdbc:sqlite::memory:");
        StringBuilder columns = new StringBuilder("offering text");
        StringBuilder marks = new StringBuilder("?");
        for (int i = 0; i < fields; i++) {
            columns.append(", f").append(i);
            marks.append(", ?");
        }
        database.createStatement().execute("create table prices (" + columns + ")");
        database.setAutoCommit(false);
        try (PreparedStatement insert = database.prepareStatement("insert into prices values (" + marks + ")")) {
            for (Price price : prices) {
                insert.setString(1, price.offering());
                for (int i = 0; i < fields; i++) {
                    Object value = price.conditions().get("field" + i);
                    insert.setObject(i + 2, value == null ? null : Condition.storedInPrice(value));
                }
                insert.execute();
            }
        }
        return database;
    }

    private static int inDatabase(
            Connection database, @Nullable String offering, List<Condition> conditions, boolean hasWildcards)
            throws SQLException {
        String where = conditions.stream()
                .map(condition -> " and " + condition.sql(hasWildcards))
                .collect(Collectors.joining());
        String sql = "select count(*) from prices where (? is null or offering = ?)" + where;
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setString(1, offering);
            select.setString(2, offering);
            int at = 3;
            for (Condition condition : conditions) {
                for (Object value : condition.values()) {
                    select.setObject(at++, Condition.stored(value));
                }
            }
            try (ResultSet count = select.executeQuery()) {
                return count.getInt(1);
            }
        }
    }

    @Test
    void search_utf8OfAString_answersAsTheString() {
        RandomPrices random = new RandomPrices(seed, 8, 6, 3);
        List<Price> prices = random.prices(300);
        PriceIndex index = random.builder().build(prices);
        PriceQuery texts = index.query().policy(MatchPolicy.ALL).limit(1000);
        PriceQuery bytes = index.query().policy(MatchPolicy.ALL).limit(1000);
        for (Price price : prices) {
            byte[] key = ("<" + price.offering() + ">").getBytes(StandardCharsets.UTF_8);
            texts.clear().offering(price.offering());
            bytes.clear().offering(key, 1, key.length - 1);
            price.conditions().forEach((name, value) -> {
                Object one =
                        value instanceof Set<?> several ? several.iterator().next() : value;
                if (one instanceof String text) {
                    byte[] utf8 = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
                    texts.eq(name, text);
                    bytes.eq(index.field(name), utf8, 1, utf8.length - 1);
                }
            });
            SearchResult.Found found = (SearchResult.Found) index.search(bytes);
            assertThat(found.prices())
                    .as("seed=%d", seed)
                    .contains(price)
                    .isEqualTo(((SearchResult.Found) index.search(texts)).prices());
        }
    }
}
