package dev.touchstone.harness.report;

import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Reads a file of seed figures, strictly: no unknown name, no repetition, nothing missing. */
final class SeedReader {
    private static final int MAX_BYTES = 1 << 20;
    private static final Set<String> NULLABLE = Set.of("Table.conditions", "Row.score", "Row.error", "Row.note");

    private SeedReader() {}

    /**
     * Reads and checks one file.
     *
     * @param file its name, for messages
     */
    static SeedDocument read(InputStream in, String file) throws IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new SeedFormatException(file + ": size exceeds max=" + MAX_BYTES, null);
        }
        try {
            String json = new String(bytes, StandardCharsets.UTF_8);
            SeedDocument document = StrictJson.read(json, SeedDocument.class, NULLABLE, SeedDocument.SCHEMA);
            check(document, file);
            return document;
        } catch (JsonProblem e) {
            throw new SeedFormatException(file + ": " + e.getMessage(), e);
        }
    }

    private static void check(SeedDocument document, String file) throws SeedFormatException {
        Set<String> ids = new HashSet<>();
        for (SeedDocument.Table table : document.tables()) {
            String place = file + "#" + table.id();
            if (table.id().contains("/") || !ids.add(table.id())) {
                throw new SeedFormatException(place + ": id with a slash or used twice", null);
            }
            check(table, place);
        }
    }

    private static void check(SeedDocument.Table table, String place) throws SeedFormatException {
        Set<String> ids = new HashSet<>();
        for (SeedDocument.Row row : table.rows()) {
            String rowPlace = place + "/" + row.id();
            if (!ids.add(row.id())) {
                throw new SeedFormatException(rowPlace + ": id used twice", null);
            }
            Double score = row.score();
            if (score == null && row.note() == null) {
                throw new SeedFormatException(rowPlace + ": no score, and no note that says why", null);
            }
            if (score != null && !(score >= 0 && Double.isFinite(score))) {
                throw new SeedFormatException(rowPlace + ": score=" + score + ", expected a number from 0", null);
            }
        }
    }
}
