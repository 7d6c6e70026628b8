package dev.touchstone.benchmarks.serialization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;

/** The costs of a map's entry to its members, from the origin document. */
final class SeedCosts {

    private static final String RESOURCE = "META-INF/touchstone/seed/serialization-compact.json";

    private final JsonNode tables;

    private SeedCosts(JsonNode tables) {
        this.tables = tables;
    }

    static SeedCosts read() throws IOException {
        try (InputStream in = SeedCosts.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            return new SeedCosts(new ObjectMapper()
                    .readTree(Objects.requireNonNull(in, RESOURCE))
                    .get("tables"));
        }
    }

    /**
     * Bytes of an entry.
     *
     * @param table {@code write} or {@code read}: of the object that is written, or of random ones
     * @param subject one of the document's, or ours, which is Compact
     */
    long bytesPerEntry(String table, RecordSize size, String subject) {
        String id = table + "-" + size.name().toLowerCase(Locale.ROOT) + "-memory-per-entry";
        String row = subject.equals("OURS") ? "COMPACT" : subject;
        return with(with(tables, id).get("rows"), row).get("score").asLong();
    }

    private static JsonNode with(JsonNode all, String id) {
        for (JsonNode one : all) {
            if (one.get("id").asText().equals(id)) {
                return one;
            }
        }
        throw new IllegalStateException(RESOURCE + " has no " + id);
    }
}
