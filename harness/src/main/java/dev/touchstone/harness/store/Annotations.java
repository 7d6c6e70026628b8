package dev.touchstone.harness.store;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Remarks that people made about recorded nights: {@code results/annotations.json}. Immutable.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param annotations in any order
 */
public record Annotations(int schema, List<Annotation> annotations) {
    /** The version that this harness reads. */
    public static final int SCHEMA = 1;

    /** Nothing known. */
    public static final Annotations NONE = new Annotations(SCHEMA, List.of());

    private static final String FILE = "annotations.json";
    private static final long MAX_BYTES = 1 << 20;

    /**
     * Reads the file below {@code results}.
     *
     * @param results folder of the recorded runs
     * @return its annotations, or {@link #NONE} without a file
     * @throws ResultFormatException if the file has another form
     * @throws IOException if the file cannot be read
     */
    public static Annotations read(Path results) throws IOException {
        Path file = results.resolve(FILE);
        if (!Files.exists(file)) {
            return NONE;
        }
        try {
            String json = new String(Bounded.read(file, MAX_BYTES), StandardCharsets.UTF_8);
            Annotations read = StrictJson.read(json, Annotations.class, Set.of(), SCHEMA);
            for (int i = 0; i < read.annotations.size(); i++) {
                check("annotations[" + i + "]", read.annotations.get(i));
            }
            return read;
        } catch (JsonProblem e) {
            throw new ResultFormatException(file, 0, String.valueOf(e.getMessage()));
        }
    }

    private static void check(String at, Annotation annotation) throws JsonProblem {
        try {
            LocalDate.parse(annotation.day());
        } catch (DateTimeParseException e) {
            throw new JsonProblem(at + ".day: expected yyyy-mm-dd, got '" + annotation.day() + "'");
        }
        try {
            Pattern.compile(annotation.cells());
        } catch (PatternSyntaxException e) {
            throw new JsonProblem(at + ".cells: not a regular expression: '" + annotation.cells() + "'");
        }
    }

    /**
     * Returns the annotations of a cell.
     *
     * @param cell id of the cell
     * @param kind the kind that is wanted
     * @return matching annotations in the file's order; may be empty
     */
    public List<Annotation> of(String cell, Kind kind) {
        return annotations.stream()
                .filter(annotation -> annotation.kind() == kind && annotation.matches(cell))
                .toList();
    }

    /**
     * A remark about some cells.
     *
     * @param day first day that it holds for, {@code yyyy-mm-dd}
     * @param cells regular expression that is looked for in ids of cells
     * @param kind what changed on that day
     * @param text one sentence
     */
    public record Annotation(String day, String cells, Kind kind, String text) {
        boolean matches(String cell) {
            return Pattern.compile(cells).matcher(cell).find();
        }
    }

    /** Causes of a change in the figures. */
    public enum Kind {
        /** The benchmark: scores from before can't be held against scores from then on. */
        @JsonProperty("benchmark")
        BENCHMARK,
        /** The measured code. */
        @JsonProperty("code")
        CODE,
        /** The machine or what runs on it. */
        @JsonProperty("machine")
        MACHINE
    }
}
