package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Times of databases, loaded by JVMs with different default zones. PostgreSQL and MariaDB are left out where they are not installed. */
@Timeout(120)
class TemporalLoadTest {
    static List<String> zones() {
        return TemporalProbe.ZONES;
    }

    @ParameterizedTest
    @MethodSource("zones")
    void embeddedDatabases_anyDefaultZone_giveTheSameTimes(String zone) throws IOException, InterruptedException {
        assertThat(probe(zone, "jdbc:h2:mem:", "jdbc:sqlite::memory:"))
                .containsExactlyElementsOf(Stream.of("h2", "sqlite")
                        .flatMap(kind -> TemporalProbe.expected(kind).stream())
                        .toList());
    }

    @Test
    void postgresql_anyDefaultZone_givesTheSameTimes() throws IOException, InterruptedException, SQLException {
        assumeThat(DatabaseServer.hasPostgres())
                .as("needs initdb and postgres, and setpriv and a user 'postgres' for root")
                .isTrue();
        try (DatabaseServer server = DatabaseServer.postgres()) {
            for (String zone : TemporalProbe.ZONES) {
                // the driver decodes text at first, and the binary form of statements that it runs often
                assertThat(probe(zone, server.address(), server.address() + "&prepareThreshold=-1"))
                        .as("default zone %s", zone)
                        .containsExactlyElementsOf(Stream.of("postgresql", "postgresql")
                                .flatMap(kind -> TemporalProbe.expected(kind).stream())
                                .toList());
            }
            assertThat(errorsOfInfiniteTimes(server.address())).containsExactly("moment", "local", "day");
        }
    }

    /** Returns the columns of the errors of three rows, each of which has one infinite time. */
    private static List<String> errorsOfInfiniteTimes(String address) throws SQLException, IOException {
        PriceSchema schema =
                PriceSchema.builder().dateTime("moment", "local", "day").build();
        String query = "select 1::text as id, 'o' as offering, 1 as value, 'infinity'::timestamptz as moment,"
                + " null::timestamp as local, null::date as day"
                + " union all select '2', 'o', 1, null, '-infinity'::timestamp, null"
                + " union all select '3', 'o', 1, null, null, 'infinity'::date";
        LoadOptions options = LoadOptions.DEFAULT.withMaxErrors(3).withMayBeEmpty(true);
        try (Connection database = DriverManager.getConnection(address);
                PriceLoad load = PriceLoader.jdbc(database, query, schema, options)) {
            load.forEach(price -> {});
            return load.report().first().stream().map(RowError::column).toList();
        }
    }

    @Test
    void mariaDb_anyZoneOfTheSession_givesTheSamePoints() throws IOException, InterruptedException, SQLException {
        assumeThat(DatabaseServer.hasMariaDb())
                .as("needs mariadbd and mariadb-install-db")
                .isTrue();
        try (DatabaseServer server = DatabaseServer.mariaDb()) {
            for (String zone : TemporalProbe.ZONES) {
                assertThat(probe(zone, server.address() + "&sessionVariables=time_zone='+05:45'"))
                        .as("default zone %s", zone)
                        .containsExactlyElementsOf(TemporalProbe.expected("mariadb"));
            }
            try (Connection database = DriverManager.getConnection(server.address())) {
                PriceSchema schema = PriceSchema.builder().dateTime("moment").build();
                String query = "select id, offering, amount as value, moment from times";
                assertThatThrownBy(() -> PriceLoader.jdbc(database, query, schema, LoadOptions.DEFAULT))
                        .isInstanceOf(LoadException.class)
                        .hasMessageContaining("column='moment' zone=SYSTEM")
                        .hasMessageContaining("SET time_zone");
            }
        }
    }

    @Test
    void expectedLines_haveTheGapAndTheOverlapOfBerlin() {
        assertThat(TemporalProbe.expected("h2"))
                .contains(
                        "h2 Europe/Berlin error 0 local_time",
                        "h2 Europe/Berlin error 1 local_time",
                        "h2 Asia/Tokyo 0 {day_text=2020-03-29, local_day=2020-03-28T15:00:00Z,"
                                + " local_text=2020-03-29T02:30:00, local_time=2020-03-28T17:30:00Z, moment=2020-03-28T20:45:00Z}",
                        "h2 UTC 7 {day_text=9999-12-31, local_day=9999-12-31T00:00:00Z,"
                                + " local_text=9999-12-31T23:59:59.999999, local_time=9999-12-31T23:59:59.999999Z,"
                                + " moment=9999-12-31T18:14:59.999999Z}")
                .hasSize(32);
    }

    /** Returns what the probe prints in a JVM with a default zone. */
    private static List<String> probe(String zone, String... addresses) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=" + zone,
                "-cp",
                System.getProperty("java.class.path"),
                TemporalProbe.class.getName()));
        command.addAll(List.of(addresses));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        List<String> lines = said.lines()
                .filter(line -> line.matches("(zone|h2|sqlite|postgresql|mariadb) .*")) // not the warnings of the JVM
                .toList();
        assertThat(lines.get(0)).isEqualTo("zone " + zone);
        return lines.subList(1, lines.size());
    }
}
