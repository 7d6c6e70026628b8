package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.index.Price;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JdbcLoadTest {
    private static final PriceSchema SCHEMA = PriceSchema.builder()
            .idColumn("price_id")
            .string("group")
            .integer("term")
            .decimal("amount", 2)
            .dateTime("from", "until")
            .build();

    private static Connection database() throws SQLException {
        Connection database = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = database.createStatement()) {
            statement.execute("create table prices (price_id varchar, offering varchar, \"VALUE\" decimal(10, 2),"
                    + " \"DEFAULT\" boolean, payload clob, \"GROUP\" varchar, term int, amount decimal(10, 3),"
                    + " \"FROM\" timestamp, until timestamp with time zone)");
        }
        return database;
    }

    @Test
    void jdbc_allTypes_areReadAndBadRowsReported() throws SQLException, IOException {
        try (Connection database = database();
                Statement statement = database.createStatement()) {
            statement.execute("insert into prices values ('p1', 'o', 12.50, true, 'text', 'g', 3, 1.5,"
                    + " timestamp '2020-01-02 03:04:05', timestamp with time zone '2020-01-02 03:04:05+02:00')");
            statement.execute(
                    "insert into prices (price_id, offering, \"VALUE\", amount) values ('p2', 'o', 1, 1.234)");
            statement.execute("insert into prices (price_id, offering, \"VALUE\") values ('p1', 'o', 2)");
            statement.execute("insert into prices (price_id, offering, \"VALUE\") values ('p3', 'o', 3)");
            List<Price> prices = new ArrayList<>();
            try (PriceLoad load = PriceLoader.jdbc(
                    database,
                    "select * from prices order by \"VALUE\" desc",
                    SCHEMA,
                    LoadOptions.DEFAULT.withMaxErrors(2))) {
                load.forEach(prices::add);
                assertThat(load.report().first())
                        .extracting(RowError::line, RowError::column)
                        .containsExactly(
                                org.assertj.core.groups.Tuple.tuple(3L, "price_id"),
                                org.assertj.core.groups.Tuple.tuple(4L, "amount"));
            }

            assertThat(prices).extracting(Price::id).containsExactly("p1", "p3");
            Price first = prices.get(0);
            assertThat(first.value()).isEqualByComparingTo("12.5");
            assertThat(first.isDefault()).isTrue();
            assertThat(first.payload()).isEqualTo("text");
            assertThat(first.conditions())
                    .isEqualTo(Map.of(
                            "group",
                            "g",
                            "term",
                            3L,
                            "amount",
                            new BigDecimal("1.500"),
                            "from",
                            Instant.parse("2020-01-02T03:04:05Z"),
                            "until",
                            Instant.parse("2020-01-02T01:04:05Z")));
        }
    }

    @Test
    void jdbc_date_isTheFirstMomentOfTheDay() throws SQLException, IOException {
        try (Connection database = database();
                PriceLoad load = PriceLoader.jdbc(
                        database,
                        "select 'p' as price_id, 'o' as offering, 1 as \"VALUE\", date '2020-03-29' as \"FROM\"",
                        SCHEMA,
                        LoadOptions.DEFAULT)) {
            assertThat(load.iterator().next().conditions())
                    .isEqualTo(Map.of("from", Instant.parse("2020-03-29T00:00:00Z")));
        }
    }

    @Test
    void jdbc_textWithDigitsBeyondAscii_isNoNumber() throws SQLException, IOException {
        try (Connection database = database();
                PriceLoad load = PriceLoader.jdbc(
                        database,
                        "select * from (values ('p1', 'o', '1', '\uFF11'), ('p2', 'o', '\u0662', '1'), ('p3', 'o', '1', '1'))"
                                + " as t(price_id, offering, \"VALUE\", term)",
                        SCHEMA,
                        LoadOptions.DEFAULT.withMaxErrors(2))) {
            List<Price> prices = new ArrayList<>();
            load.forEach(prices::add);
            assertThat(prices).extracting(Price::id).containsExactly("p3");
            assertThat(load.report().first())
                    .extracting(RowError::line, RowError::column, RowError::value, RowError::reason)
                    .containsExactly(
                            Tuple.tuple(
                                    1L,
                                    "term",
                                    "\uFF11",
                                    "a digit other than 0 to 9: type=INTEGER at=0 value='\uFF11'"),
                            Tuple.tuple(
                                    2L,
                                    "value",
                                    "\u0662",
                                    "a digit other than 0 to 9: type=DECIMAL at=0 value='\u0662'"));
        }
    }

    @Test
    void jdbc_arrays_areSeveralValues() throws SQLException, IOException {
        try (Connection database = database();
                PriceLoad load = PriceLoader.jdbc(
                        database,
                        "select * from (values ('p1', 'o', 1, array['a', 'b'], 3), ('p2', 'o', 1, array['a'], 3),"
                                + " ('p3', 'o', 1, null, 3), ('p4', 'o', 1, array[], 3), ('p5', 'o', 1, array['a', null], 3))"
                                + " as t(price_id, offering, \"VALUE\", \"GROUP\", term)",
                        SCHEMA,
                        LoadOptions.DEFAULT.withMaxErrors(2))) {
            List<Price> prices = new ArrayList<>();
            load.forEach(prices::add);
            assertThat(prices)
                    .extracting(price -> price.conditions().get("group"))
                    .containsExactly(Set.of("a", "b"), "a", null);
            assertThat(load.report().first())
                    .extracting(RowError::column, RowError::reason)
                    .containsExactly(
                            Tuple.tuple("group", "number of values is 0, not 1 to 1000"),
                            Tuple.tuple("group", "one of several values is no string of 1 to 65536 characters"));
        }
    }

    @Test
    void jdbc_arraysOfPostgres_areSeveralValues() throws SQLException, IOException, InterruptedException {
        assumeTrue(DatabaseServer.hasPostgres(), "PostgreSQL is not installed");
        try (DatabaseServer server = DatabaseServer.postgres();
                Connection database = DriverManager.getConnection(server.address());
                PriceLoad load = PriceLoader.jdbc(
                        database,
                        "select 'p' as price_id, 'o' as offering, 1 as value, '{north,west}'::text[] as \"group\"",
                        SCHEMA,
                        LoadOptions.DEFAULT)) {
            assertThat(load.iterator().next().conditions()).isEqualTo(Map.of("group", Set.of("north", "west")));
        }
    }

    @Test
    void jdbc_queryThatFails_saysWhich() throws SQLException {
        try (Connection database = database()) {
            assertThatThrownBy(() -> PriceLoader.jdbc(database, "select nothing", SCHEMA, LoadOptions.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("select nothing");
        }
    }
}
