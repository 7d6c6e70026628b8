package dev.touchstone.index.loader;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A factory of loads of prices from CSV, JSON Lines and databases. Arguments must not be null. Files and streams are in UTF-8, may begin with a byte
 * order mark, and may be compressed by gzip, which is recognised by its first bytes.
 *
 * <p>A point in time with an offset is what it says. A date and time without an offset is in {@link LoadOptions#zone}, whatever the default zone of the
 * JVM is; where the clocks of that zone skip the time or show it twice, the row is bad. A date is the first moment of the day in that zone. Dates are
 * those of the proleptic Gregorian calendar.
 */
public final class PriceLoader {
    private static final int FETCHED_ROWS = 1000;

    private PriceLoader() {}

    /**
     * Opens a CSV file (RFC 4180, separated by commas). The first line names the columns, in any order.
     *
     * @param file path of the file
     * @param schema columns and fields
     * @param options limits of the load
     * @return load, which closes the file when it is closed
     * @throws LoadException if the head lacks id, key or value, has a column twice, or has one that the schema lacks
     * @throws IOException if the file cannot be read
     */
    public static PriceLoad csv(Path file, PriceSchema schema, LoadOptions options) throws IOException {
        return csv(Files.newInputStream(file), schema, options);
    }

    /**
     * Opens CSV (RFC 4180, separated by commas) from a stream. The first line names the columns, in any order.
     *
     * @param in stream to read from; closed with the load, or if this method throws
     * @param schema columns and fields
     * @param options limits of the load
     * @return load
     * @throws LoadException if the head lacks id, key or value, has a column twice, or has one that the schema lacks
     * @throws IOException if the stream cannot be read
     */
    public static PriceLoad csv(InputStream in, PriceSchema schema, LoadOptions options) throws IOException {
        Reader reader = Utf8.reader(in, options);
        try {
            return new PriceLoad(new CsvSource(reader, schema, options), schema, options);
        } catch (IOException | RuntimeException e) {
            closeBehind(reader, e);
            throw e;
        }
    }

    /**
     * Opens a file of JSON Lines. Each line is an object whose member names are columns, and whose values are strings, lists of strings, numbers, true, false or
     * null.
     * Points in time must be strings; decimal numbers may be.
     *
     * @param file path of the file
     * @param schema columns and fields
     * @param options limits of the load
     * @return load, which closes the file when it is closed
     * @throws IOException if the file cannot be opened
     */
    public static PriceLoad jsonLines(Path file, PriceSchema schema, LoadOptions options) throws IOException {
        return jsonLines(Files.newInputStream(file), schema, options);
    }

    /**
     * Opens JSON Lines from a stream. Each line is an object whose member names are columns, and whose values are strings, numbers, true, false or
     * null. Points in time must be strings; decimal numbers may be.
     *
     * @param in stream to read from; closed with the load
     * @param schema columns and fields
     * @param options limits of the load
     * @return load
     */
    public static PriceLoad jsonLines(InputStream in, PriceSchema schema, LoadOptions options) {
        return new PriceLoad(new JsonLinesSource(Utf8.reader(in, options), options), schema, options);
    }

    /**
     * Runs a query, and opens its result. The labels of the result are columns, in upper or lower case if no column has exactly this name.
     *
     * <p>Timestamps with time zone, timestamps and dates are read as {@link java.time.OffsetDateTime}, {@link java.time.LocalDateTime} and
     * {@link java.time.LocalDate}, so the driver must support these types; else the rows are bad. In a field of strings they have their text of ISO 8601,
     * the first of them in UTC. SQLite keeps times as text, which is read like that of a file, or as numbers, which are refused because they do not tell
     * their unit.
     *
     * @param database connection, which is not closed; some drivers stream the result only if auto-commit is off
     * @param query SQL text of the query
     * @param schema columns and fields
     * @param options limits of the load
     * @return load, which closes the result when it is closed
     * @throws LoadException if a label is not a column of the schema, or if a column is a {@code TIMESTAMP} of MariaDB in a session that does
     *     not tell its zone
     * @throws IOException if the query fails; the cause is the exception of the driver
     */
    public static PriceLoad jdbc(Connection database, String query, PriceSchema schema, LoadOptions options)
            throws IOException {
        try {
            MariaDbSession session = MariaDbSession.of(database);
            PreparedStatement statement =
                    database.prepareStatement(query, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
            try {
                statement.setFetchSize(FETCHED_ROWS);
                RowSource rows = new JdbcSource(statement.executeQuery(), statement, schema, session);
                return new PriceLoad(rows, schema, options);
            } catch (SQLException | RuntimeException e) {
                closeBehind(statement, e);
                throw e;
            }
        } catch (SQLException e) {
            throw new IOException("query failed: query=" + RowError.shown(query), e);
        }
    }

    private static void closeBehind(AutoCloseable resource, Exception failure) {
        try {
            resource.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Makes a schema from the head of a CSV file: columns without another meaning are fields.
     *
     * @param file path of the file
     * @param keyField name of the key
     * @param types types of fields by name, as {@link PriceSchema.Builder#field(String, String)} accepts them; other fields are strings
     * @return schema
     * @throws LoadException if the file is empty
     * @throws UnknownColumnException if a type is given for a column that the head lacks
     * @throws IllegalArgumentException if there is no such type, or if a type is given for a column that is not a field
     * @throws IOException if the file cannot be read
     */
    public static PriceSchema csvSchema(Path file, String keyField, Map<String, String> types) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file)) {
            List<String> head = CsvSource.columns(Utf8.reader(in, LoadOptions.DEFAULT), LoadOptions.DEFAULT);
            head.forEach(column -> found.put(column, "string"));
        }
        for (String name : types.keySet()) {
            if (!found.containsKey(name)) {
                throw new UnknownColumnException(name, found.keySet());
            }
        }
        return schema(found, keyField, types);
    }

    /**
     * Makes a schema from the first object of a file of JSON Lines: member names without another meaning are fields. A field is of integers if its
     * value is an integer; of decimal numbers with six digits behind the decimal point if it is another number; and else of strings.
     *
     * @param file path of the file
     * @param keyField name of the key
     * @param types types by name, for fields that are to have another type or that the first object lacks; {@link PriceLoad#requireColumns} tells
     *     after the load whether any row had them
     * @return schema
     * @throws LoadException if the file has no JSON object
     * @throws IllegalArgumentException if there is no such type, or if a type is given for a column that is not a field
     * @throws IOException if the file cannot be read
     */
    public static PriceSchema jsonLinesSchema(Path file, String keyField, Map<String, String> types)
            throws IOException {
        return jsonLinesSchema(file, keyField, types, LoadOptions.DEFAULT);
    }

    /**
     * Makes a schema like {@link #jsonLinesSchema(Path, String, Map)}, within the limits of options. If the file may be empty and has no JSON object, the
     * fields are those that have a type.
     *
     * @param file path of the file
     * @param keyField name of the key
     * @param types types by name
     * @param options limits of the load, and whether the file may be empty
     * @return schema
     * @throws LoadException if the file has no JSON object, and may not be empty
     * @throws IllegalArgumentException if there is no such type, or if a type is given for a column that is not a field
     * @throws IOException if the file cannot be read
     */
    public static PriceSchema jsonLinesSchema(
            Path file, String keyField, Map<String, String> types, LoadOptions options) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return schema(JsonLinesSource.columns(Utf8.reader(in, options), options), keyField, types);
        }
    }

    private static PriceSchema schema(Map<String, String> found, String keyField, Map<String, String> types) {
        PriceSchema.Builder builder = PriceSchema.builder().keyField(keyField);
        List<String> known = builder.build().columns();
        for (String name : types.keySet()) {
            if (known.contains(name)) {
                throw new IllegalArgumentException("column has no type to choose: column='" + RowError.shown(name)
                        + "'; expected a field, which is a column other than " + known);
            }
        }
        Map<String, String> all = new LinkedHashMap<>(found);
        all.putAll(types);
        all.forEach((name, type) -> {
            if (!known.contains(name)) {
                builder.field(name, type);
            }
        });
        return builder.build();
    }
}
