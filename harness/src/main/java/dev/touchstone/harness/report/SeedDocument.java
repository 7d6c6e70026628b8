package dev.touchstone.harness.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one origin document.
 *
 * @param source the document's title
 * @param conditions machine, runtime and iterations that its figures come from
 */
public record SeedDocument(int schema, String source, String conditions, List<Table> tables) {
    /** The version that this harness reads. */
    public static final int SCHEMA = 1;

    /**
     * A table of an origin document.
     *
     * @param better which direction is better
     * @param conditions what differs from the document's; null where nothing does
     */
    public record Table(
            String id,
            String title,
            String unit,
            Better better,
            @Nullable String conditions,
            List<Row> rows) {}

    /**
     * A row of a table, with its figure.
     *
     * @param subject the implementation, in the document's words
     * @param params what else tells this row from others, by name
     * @param score null where the document has none; {@code note} says why
     * @param error the document's error bound; null where it gives none
     */
    public record Row(
            String id,
            String subject,
            SortedMap<String, String> params,
            @Nullable Double score,
            @Nullable Double error,
            @Nullable String note) {
        /** Returns the figure as it is printed. */
        public String figure() {
            return score == null ? Format.NONE : Format.score(score);
        }
    }

    /** A direction. */
    public enum Better {
        /** A rate. */
        @JsonProperty("higher")
        HIGHER,
        /** A time or a size. */
        @JsonProperty("lower")
        LOWER
    }
}
