package dev.touchstone.index.loader;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the result of a query, whose labels are the columns. Not thread-safe.
 *
 * <p>Dates and times are read as the types of {@code java.time} only. Those of {@code java.sql} hold what the clock of the JVM's default zone shows, and
 * so cannot hold every time that a database has.
 */
final class JdbcSource implements RowSource {
    /** Parts of the names of types that are points in time, for drivers that give the same number to types with and without a zone. */
    private static final Set<String> NAMES_WITH_ZONE =
            Set.of("timestamptz", "with time zone", "with local time zone", "datetimeoffset");

    private final ResultSet rows;
    private final Statement owner;
    private final int[] columns; // numbers of the columns, by position in the row
    private final boolean[] hasZone; // whether the type of the column is a point in time, by position
    private final boolean[] isPoint; // whether the clock of the session shows the column's points in time, by position
    private final @Nullable MariaDbSession session;
    private final @Nullable Class<?>[]
            types; // type by which a temporal column is read, once one of its values was seen
    private long line;

    /**
     * Creates a source.
     *
     * @param owner statement of the result, closed with this source
     * @param session session of a database that shows points in time by a clock of its own, or null
     * @throws LoadException if a label is not a column of the schema, or if the session does not tell its zone, and a column needs it
     */
    JdbcSource(ResultSet rows, Statement owner, PriceSchema schema, @Nullable MariaDbSession session)
            throws SQLException {
        this.rows = rows;
        this.owner = owner;
        this.session = session;
        ResultSetMetaData head = rows.getMetaData();
        columns = new int[head.getColumnCount()];
        hasZone = new boolean[columns.length];
        isPoint = new boolean[columns.length];
        types = new Class<?>[columns.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(head.getColumnLabel(i + 1), schema);
            hasZone[i] = hasZone(head.getColumnType(i + 1), head.getColumnTypeName(i + 1));
            if (session != null && MariaDbSession.isPoint(head.getColumnTypeName(i + 1))) {
                session.requireZone(head.getColumnLabel(i + 1));
                isPoint[i] = true;
            }
        }
    }

    private static boolean hasZone(int type, @Nullable String name) {
        String known = name == null ? "" : name.toLowerCase(Locale.ROOT);
        return type == Types.TIMESTAMP_WITH_TIMEZONE
                || (!known.contains("without") && NAMES_WITH_ZONE.stream().anyMatch(known::contains));
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
            try {
                set(draft, columns[i], value(i));
            } catch (SQLException | DateTimeException e) {
                throw draft.wrong(columns[i], "", "not readable: " + e.getMessage(), e);
            }
        }
        return true;
    }

    /**
     * Returns the value at a position of the row. A column is read by the type that the class of its first temporal value asks for, unless the driver
     * gives this type by itself. The metadata play no role, because a database such as SQLite keeps text and numbers in columns that it declares as
     * timestamps.
     */
    private @Nullable Object value(int position) throws SQLException {
        Class<?> known = types[position];
        if (known != null) {
            return typed(position, known);
        }
        Object value = rows.getObject(position + 1);
        Class<?> type = value == null ? null : temporal(value, hasZone[position]);
        if (type == null || (session == null && type.isInstance(value))) {
            return value; // as it is: DuckDB converts a date to the type that it has already, and moves those before
            // 1582
        }
        types[position] = type;
        return typed(position, type);
    }

    private @Nullable Object typed(int position, Class<?> type) throws SQLException {
        return session != null && type == LocalDateTime.class
                ? session.time(rows, position + 1, isPoint[position])
                : rows.getObject(position + 1, type);
    }

    private static @Nullable Class<?> temporal(Object value, boolean hasZone) {
        if (value instanceof java.sql.Date || value instanceof LocalDate) {
            return LocalDate.class;
        }
        if (value instanceof Time) {
            return null;
        }
        if (value instanceof java.util.Date || value instanceof Temporal) {
            boolean isPoint = hasZone || value instanceof OffsetDateTime || value instanceof Instant;
            return isPoint ? OffsetDateTime.class : LocalDateTime.class;
        }
        return null;
    }

    private static void set(RowDraft draft, int column, @Nullable Object value) throws SQLException, RowException {
        if (value instanceof Boolean bool) {
            draft.bool(column, bool);
        } else if (value instanceof Number number) {
            draft.number(column, text(number));
        } else if (value instanceof OffsetDateTime time) {
            draft.text(column, time.toInstant().toString());
        } else if (value instanceof LocalDateTime time) {
            draft.local(column, time);
        } else if (value instanceof LocalDate day) {
            draft.day(column, day);
        } else if (value instanceof java.sql.Clob clob) {
            draft.text(column, clob.getSubString(1, (int) Math.min(clob.length(), Integer.MAX_VALUE - 8)));
        } else if (value instanceof java.sql.Array array) {
            draft.texts(column, values(array));
        } else if (value != null) {
            draft.text(column, value.toString());
        }
    }

    /** Returns the elements of an array, which may be of any class, and null. */
    private static List<?> values(java.sql.Array array) throws SQLException {
        Object elements = array.getArray();
        array.free();
        return elements instanceof Object[] objects ? Arrays.asList(objects) : List.of(elements);
    }

    private static String text(Number number) {
        return number instanceof java.math.BigDecimal decimal ? decimal.toPlainString() : number.toString();
    }

    @Override
    public boolean hasColumn(int column) {
        for (int known : columns) {
            if (known == column) {
                return true;
            }
        }
        return false;
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
