package dev.touchstone.index.loader;

import java.io.BufferedInputStream;
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

/** Opens sources of prices. Arguments are not null; files are in UTF-8, and may begin with a byte order mark. */
public final class PriceLoader {
    private static final int FETCHED_ROWS = 1000;

    private PriceLoader() {}

    /**
     * Opens a CSV file (RFC 4180, commas). Its first line names the columns, in any order.
     *
     * @throws LoadException if the head lacks id, key or value, or has a column that the schema has not
     */
    public static PriceLoad csv(Path file, PriceSchema schema, LoadOptions options) throws IOException {
        return csv(Files.newInputStream(file), schema, options);
    }

    /** As {@link #csv(Path, PriceSchema, LoadOptions)}; the stream is closed with what is returned. */
    public static PriceLoad csv(InputStream in, PriceSchema schema, LoadOptions options) throws IOException {
        Reader reader = Utf8.reader(in);
        try {
            return new PriceLoad(new CsvSource(reader, schema, options), schema, options);
        } catch (IOException | RuntimeException e) {
            closeBehind(reader, e);
            throw e;
        }
    }

    /**
     * Opens a file of JSON Lines: on each line an object whose names are columns, and whose values are strings, numbers, true, false or null. Points in
     * time are strings, decimal numbers may be.
     */
    public static PriceLoad jsonLines(Path file, PriceSchema schema, LoadOptions options) throws IOException {
        return jsonLines(Files.newInputStream(file), schema, options);
    }

    /** As {@link #jsonLines(Path, PriceSchema, LoadOptions)}; the stream is closed with what is returned. */
    public static PriceLoad jsonLines(InputStream in, PriceSchema schema, LoadOptions options) {
        return new PriceLoad(new JsonLinesSource(Utf8.reader(in), options), schema, options);
    }

    /**
     * Runs a query. The labels of its answer are columns; upper and lower case are one where they don't fit otherwise. A point in time without an
     * offset is in UTC.
     *
     * @param database is not closed; some drivers stream only if it doesn't commit by itself
     */
    public static PriceLoad jdbc(Connection database, String query, PriceSchema schema, LoadOptions options)
            throws IOException {
        try {
            PreparedStatement statement =
                    database.prepareStatement(query, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
            try {
                statement.setFetchSize(FETCHED_ROWS);
                return new PriceLoad(new JdbcSource(statement.executeQuery(), statement, schema), schema, options);
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
     * Makes a schema from the head of a CSV file: columns that have no other meaning are fields.
     *
     * @param keyField the name of the key
     * @param types by name of a field, as {@link PriceSchema.Builder#field(String, String)} takes them; others are strings
     * @throws IllegalArgumentException if a type is none
     */
    public static PriceSchema csvSchema(Path file, String keyField, Map<String, String> types) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file)) {
            List<String> head = CsvSource.columns(Utf8.reader(in), LoadOptions.DEFAULT);
            head.forEach(column -> found.put(column, "string"));
        }
        return schema(found, keyField, types);
    }

    /**
     * Makes a schema from the first object of a file of JSON Lines: names that have no other meaning are fields, of integers or of decimal numbers with six
     * digits behind the point if there is such a number.
     *
     * @param keyField the name of the key
     * @param types by name of a field, for those that are to have another type, or are not in the first object
     * @throws IllegalArgumentException if a type is none
     */
    public static PriceSchema jsonLinesSchema(Path file, String keyField, Map<String, String> types)
            throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return schema(JsonLinesSource.columns(Utf8.reader(in), LoadOptions.DEFAULT), keyField, types);
        }
    }

    private static PriceSchema schema(Map<String, String> found, String keyField, Map<String, String> types) {
        PriceSchema.Builder builder = PriceSchema.builder().keyField(keyField);
        List<String> known = builder.build().columns();
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
