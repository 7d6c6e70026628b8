package dev.touchstone.benchmarks.index.tariff;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * SQLite in memory: a covering index of offering, fields and specificity, the field with the fewest matches first, an empty text for "left out", and
 * one prepared statement.
 *
 * <p>{@code f in (?, '')} seeks in the index; {@code f = ? or f is null}, and an index in the order of specificity, would read a part of the
 * offering. Other plans were not measured yet.
 */
public final class SqliteTariffs implements TariffSearch {
    private static final String ABSENT = "";

    private final Connection connection;
    private final PreparedStatement select;

    /** Copies a tariff list into a table in memory. */
    public SqliteTariffs(List<Tariff> prices) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        String columns = columns("f%d", ", ");
        execute("create table prices (offering text, " + columns + ", specificity integer, number integer)");
        connection.setAutoCommit(false);
        String marks = "?, ".repeat(TariffList.FIELDS + 2) + "?";
        try (PreparedStatement insert = connection.prepareStatement("insert into prices values (" + marks + ")")) {
            for (Tariff price : prices) {
                int at = 1;
                insert.setString(at++, price.offering());
                for (String value : price.values()) {
                    insert.setString(at++, value == null ? ABSENT : value);
                }
                insert.setInt(at++, price.specificity());
                insert.setInt(at, price.number());
                insert.execute();
            }
        }
        execute("create index covering on prices (offering, f4, f1, f5, f0, f2, f3, specificity, number)");
        execute("analyze");
        connection.commit();
        select = connection.prepareStatement("select number from prices where offering = ? and "
                + columns("f%d in (?, '')", " and ") + " order by specificity desc limit 1");
    }

    private static String columns(String form, String between) {
        return IntStream.range(0, TariffList.FIELDS)
                .mapToObj(i -> form.replace("%d", String.valueOf(i)))
                .collect(Collectors.joining(between));
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public int search(TariffRequest request) throws SQLException {
        select.setString(1, request.offering());
        for (int i = 0; i < TariffList.FIELDS; i++) {
            select.setString(i + 2, request.values()[i]);
        }
        try (ResultSet found = select.executeQuery()) {
            return found.next() ? found.getInt(1) : NONE;
        }
    }

    @Override
    public void close() throws SQLException {
        select.close();
        connection.close();
    }
}
