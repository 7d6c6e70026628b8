package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** SQLite in memory, with two indexes that cover all columns, in opposite orders, and a prepared statement for each shape of request. */
public final class SqliteSearchAdapter implements SearchUnderTest {
    private final Connection connection;
    private final IdentityHashMap<SearchRequest.Shape, PreparedStatement> statements = new IdentityHashMap<>();

    /** Copies the prices into a table in memory, with two covering indexes that name the fields in opposite orders. */
    public SqliteSearchAdapter(PriceIndex index, Iterable<Price> prices) throws SQLException {
        this(index, prices, true);
    }

    /** Copies the prices as the constructor does, with the first of the indexes alone. */
    public static SqliteSearchAdapter oneIndex(PriceIndex index, Iterable<Price> prices) throws SQLException {
        return new SqliteSearchAdapter(index, prices, false);
    }

    private SqliteSearchAdapter(PriceIndex index, Iterable<Price> prices, boolean hasReversed) throws SQLException {
        List<Field> fields = index.fields();
        connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        String columns = fields.stream().map(field -> "f" + field.ordinal()).collect(Collectors.joining(", "));
        connection.createStatement().execute("create table prices (offering text, " + columns + ", number integer)");
        connection.setAutoCommit(false);
        String reversed = IntStream.range(0, fields.size())
                .mapToObj(i -> "f" + (fields.size() - 1 - i))
                .collect(Collectors.joining(", "));
        String marks = "?, ".repeat(fields.size() + 1) + "?";
        try (PreparedStatement insert = connection.prepareStatement("insert into prices values (" + marks + ")")) {
            for (Price price : prices) {
                insert.setString(1, price.offering());
                for (Field field : fields) {
                    insert.setObject(
                            field.ordinal() + 2,
                            Stored.value(field, price.conditions().get(field.name())));
                }
                insert.setInt(fields.size() + 2, SearchUnderTest.number(price));
                insert.execute();
            }
        }
        connection.createStatement().execute("create index covering on prices (offering, " + columns + ", number)");
        if (hasReversed) {
            connection
                    .createStatement()
                    .execute("create index reversed on prices (offering, " + reversed + ", number)");
        }
        connection.createStatement().execute("analyze");
        connection.commit();
    }

    @Override
    public long search(SearchRequest request) throws SQLException {
        PreparedStatement select = statement(request);
        int at = 1;
        String offering = request.offering();
        if (offering != null) {
            select.setString(at++, offering);
        }
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            for (Object value : request.values(i)) {
                select.setObject(at++, Stored.value(terms.get(i).field(), value));
            }
        }
        try (ResultSet found = select.executeQuery()) {
            found.next();
            return SearchUnderTest.answer(found.getInt(1), found.getInt(2));
        }
    }

    private PreparedStatement statement(SearchRequest request) throws SQLException {
        SearchRequest.Shape shape = request.shape();
        PreparedStatement known = statements.get(shape);
        if (known == null) {
            known = connection.prepareStatement("select count(*), min(number) from prices where "
                    + (shape.hasOffering() ? "offering = ?" : "1")
                    + shape.terms().stream().map(SqliteSearchAdapter::sql).collect(Collectors.joining()));
            statements.put(shape, known);
        }
        return known;
    }

    private static String sql(SearchRequest.Term term) {
        String column = "f" + term.field().ordinal();
        String marks = String.join(", ", Collections.nCopies(term.count(), "?"));
        return " and "
                + switch (term.operator()) {
                    case EQ -> column + " = ?";
                    case NE -> "(" + column + " <> ? or " + column + " is null)";
                    case IN -> column + " in (" + marks + ")";
                    case NOT_IN -> "(" + column + " not in (" + marks + ") or " + column + " is null)";
                    case BETWEEN -> column + " between ? and ?";
                };
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
