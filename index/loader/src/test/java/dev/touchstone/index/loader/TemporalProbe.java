package dev.touchstone.index.loader;

import dev.touchstone.index.Price;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A program that writes times to databases and prints what a load makes of them, in several zones of the load. Tests run it in JVMs whose default zones
 * differ: each must print the {@link #expected} lines.
 */
final class TemporalProbe {
    private static final String MARIADB = "mariadb";
    private static final String OFFSET = "+05:45"; // of the points in time

    static final List<String> ZONES = List.of("UTC", "Europe/Berlin", "Asia/Tokyo", "Asia/Kathmandu");

    /** Times as SQL writes them. Berlin's clocks skip the first and show the second twice; the default calendar of java.util lacks 1582-10-10. */
    private static final List<String> TIMES = List.of(
            "2020-03-29 02:30:00",
            "2020-10-25 02:30:00",
            "2020-07-01 23:59:59.123456",
            "1582-10-04 00:00:00",
            "1582-10-10 12:00:00",
            "1582-10-15 00:00:00",
            "1970-01-01 00:00:00",
            "9999-12-31 23:59:59.999999");

    private static final PriceSchema SCHEMA = PriceSchema.builder()
            .valueColumn("amount")
            .dateTime("moment", "local_time", "local_day")
            .string("day_text", "local_text")
            .build();

    private TemporalProbe() {}

    /**
     * Prints a line for each database, zone and row.
     *
     * @param args JDBC addresses
     */
    public static void main(String[] args) throws SQLException, IOException {
        System.out.println("zone " + ZoneId.systemDefault());
        for (String address : args) {
            try (Connection database = DriverManager.getConnection(address)) {
                fill(database, kind(address));
                for (String zone : ZONES) {
                    load(database, zone).forEach(line -> System.out.println(kind(address) + " " + line));
                }
            }
        }
    }

    private static String kind(String address) {
        return address.split(":", -1)[1];
    }

    private static void fill(Connection database, String kind) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute("drop table if exists times");
            statement.execute("create table times (id varchar(9), offering varchar(9), amount int, "
                    + (kind.equals(MARIADB)
                            ? "moment timestamp(6) null, local_time datetime(6), local_day date)"
                            : "moment timestamp with time zone, local_time timestamp, local_day date)"));
            for (int i = 0; i < TIMES.size(); i++) {
                String time = TIMES.get(i);
                String day = time.substring(0, 10);
                String moment = hasMoment(kind, time) ? "'" + time + OFFSET + "'" : "null";
                statement.execute("insert into times values ('" + i + "', 'o', 1, "
                        + switch (kind) {
                            case MARIADB ->
                                moment.replace(OFFSET, "") + ", '" + time + "', '" + day + "')"; // the session's zone
                            case "sqlite" -> moment + ", '" + time + "', '" + day + "')";
                            default ->
                                "timestamp with time zone " + moment + ", timestamp '" + time + "', date '" + day
                                        + "')";
                        });
            }
        }
    }

    /** Returns whether a database can hold the point in time: MariaDB's begin in 1970 and end in 2038. */
    private static boolean hasMoment(String kind, String time) {
        return !kind.equals(MARIADB) || time.startsWith("2020");
    }

    private static List<String> load(Connection database, String zone) throws IOException {
        LoadOptions options = LoadOptions.DEFAULT.withMaxErrors(TIMES.size()).withZone(ZoneId.of(zone));
        List<String> lines = new ArrayList<>();
        String query = "select id, offering, amount, moment, local_time, local_day,"
                + " local_time as local_text, local_day as day_text from times order by times.id";
        try (PriceLoad load = PriceLoader.jdbc(database, query, SCHEMA, options)) {
            for (Price price : load) {
                lines.add(line(zone, Integer.parseInt(price.id()), price.conditions()));
            }
            for (RowError error : load.report().first()) {
                lines.add(zone + " error " + (error.line() - 1) + " " + error.column());
            }
        }
        return lines;
    }

    private static String line(String zone, int row, Map<String, Object> conditions) {
        Map<String, Object> shown = new TreeMap<>(conditions);
        shown.computeIfPresent(
                "local_text", (name, text) -> text.toString().replace(' ', 'T')); // SQLite's text is ours
        return zone + " " + row + " " + shown;
    }

    /** Returns the lines that the probe must print for a kind of database, whatever the default zone is. */
    static List<String> expected(String kind) {
        List<String> lines = new ArrayList<>();
        for (String zone : ZONES) {
            List<String> errors = new ArrayList<>();
            for (int i = 0; i < TIMES.size(); i++) {
                String iso = TIMES.get(i).replace(' ', 'T');
                Instant moment = OffsetDateTime.parse(iso + OFFSET).toInstant();
                LocalDateTime local = LocalDateTime.parse(iso);
                LocalDate day = local.toLocalDate();
                try {
                    Instant point = only(local, ZoneId.of(zone));
                    Instant first = only(day.atStartOfDay(), ZoneId.of(zone));
                    Map<String, Object> conditions = new TreeMap<>(
                            Map.of("local_time", point, "local_day", first, "local_text", iso, "day_text", day));
                    if (hasMoment(kind, TIMES.get(i))) {
                        conditions.put("moment", moment);
                    }
                    lines.add(kind + " " + line(zone, i, conditions));
                } catch (DateTimeException e) {
                    errors.add(kind + " " + zone + " error " + i + " local_time");
                }
            }
            lines.addAll(errors);
        }
        return lines;
    }

    private static Instant only(LocalDateTime time, ZoneId zone) {
        if (zone.getRules().getValidOffsets(time).size() != 1) {
            throw new DateTimeException("gap or overlap");
        }
        return time.atZone(zone).toInstant();
    }
}
