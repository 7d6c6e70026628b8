package dev.touchstone.index.loader;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rows of the result of a query, whose labels are the columns. Not thread-safe. */
final class JdbcSource implements RowSource {
    private final ResultSet rows;
    private final Statement owner;
    private final int[] columns; // numbers of the columns, by position in the row
    private long line;

    /**
     * Creates a source.
     *
     * @param owner statement of the result, closed with this source
     * @throws LoadException if a label is not a column of the schema
     */
    JdbcSource(ResultSet rows, Statement owner, PriceSchema schema) throws SQLException {
        this.rows = rows;
        this.owner = owner;
        ResultSetMetaData head = rows.getMetaData();
        columns = new int[head.getColumnCount()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(head.getColumnLabel(i + 1), schema);
        }
    }

    /**
     * Returns the number of the column with a label; in upper and lower case if the schema has no column of exactly this name, because databases may
     * fold names.
     */
    private static int column(String label, PriceSchema schema) {
        int column = schema.column(label);
        for (int i = 0; column < 0 && i < schema.columns().size(); i++) {
            if (schema.column(i).toLowerCase(Locale.ROOT).equals(label.toLowerCase(Locale.ROOT))) {
                column = i;
            }
        }
        if (column < 0) {
            throw new LoadException(
                    "answer has a column that is not declared: label='" + RowError.shown(label) + "' columns="
                            + schema.columns(),
                    null);
        }
        return column;
    }

    @Override
    public boolean next(RowDraft draft) throws IOException, RowException {
        try {
            if (!rows.next()) {
                return false;
            }
        } catch (SQLException e) {
            throw new IOException("database failed: row=" + (line + 1), e);
        }
        line++;
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            try {
                Object value = rows.getObject(i + 1);
                if (value instanceof Boolean bool) {
                    draft.bool(column, bool);
                } else if (value instanceof Number number) {
                    draft.number(column, text(number));
                } else if (value != null) {
                    draft.text(column, text(value));
                }
            } catch (SQLException e) {
                throw draft.wrong(column, "", "not readable: " + e.getMessage(), e);
            }
        }
        return true;
    }

    private static String text(Number number) {
        return number instanceof java.math.BigDecimal decimal ? decimal.toPlainString() : number.toString();
    }

    private static String text(Object value) throws SQLException {
        Instant instant = instant(value);
        if (instant != null) {
            return instant.toString();
        }
        return value instanceof java.sql.Clob clob
                ? clob.getSubString(1, (int) Math.min(clob.length(), Integer.MAX_VALUE - 8))
                : value.toString();
    }

    private static @Nullable Instant instant(Object value) {
        if (value instanceof OffsetDateTime time) {
            return time.toInstant();
        }
        if (value instanceof Timestamp time) {
            return time.toLocalDateTime().toInstant(ZoneOffset.UTC);
        }
        return value instanceof LocalDateTime time ? time.toInstant(ZoneOffset.UTC) : null;
    }

    @Override
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        try {
            try {
                rows.close();
            } finally {
                owner.close();
            }
        } catch (SQLException e) {
            throw new IOException("answer is not closed", e);
        }
    }
}
