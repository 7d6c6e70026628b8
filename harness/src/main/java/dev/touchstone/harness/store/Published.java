package dev.touchstone.harness.store;

import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The choice of recorded runs and workloads that the documents show: {@code results/published.json}. Immutable.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param overview the run of the table that has one line for each workload of every part
 * @param parts in the order of the overview page
 * @param gaps figures of the origin documents that no workload answers
 */
public record Published(int schema, String overview, List<Part> parts, List<Gap> gaps) {
    /** The version that this harness reads. */
    public static final int SCHEMA = 1;

    /** Name of the file below the folder of results. */
    public static final String FILE = "published.json";

    private static final long MAX_BYTES = 1 << 20;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*");

    /**
     * Reads the file.
     *
     * @param results folder that holds the file and the runs
     * @return its content
     * @throws ResultFormatException if the file has another form
     * @throws IOException if the file cannot be read
     */
    public static Published read(Path results) throws IOException {
        Path file = results.resolve(FILE);
        try {
            String json = new String(Bounded.read(file, MAX_BYTES), StandardCharsets.UTF_8);
            Published published = StrictJson.read(json, Published.class, Set.of(), SCHEMA);
            check("overview", RUN, published.overview);
            for (Part part : published.parts) {
                check(part);
            }
            for (Gap gap : published.gaps) {
                checkPattern("gaps: seeds", gap.seeds);
            }
            return published;
        } catch (JsonProblem e) {
            throw new ResultFormatException(file, 0, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the names of all runs.
     *
     * @return each once: that of the overview first, then those of the parts in their order
     */
    public List<String> runs() {
        return Stream.concat(
                        Stream.of(overview),
                        parts.stream().flatMap(part -> part.tables.stream()).map(Table::run))
                .distinct()
                .toList();
    }

    private static void check(Part part) throws JsonProblem {
        check("part", NAME, part.part);
        if (part.tables.isEmpty()) {
            throw new JsonProblem("part=" + part.part + ": tables: expected at least one, got none");
        }
        for (Table table : part.tables) {
            check("part=" + part.part + ": run", RUN, table.run);
            checkPattern("part=" + part.part + ": workloads", table.workloads);
        }
        if (part.plot.groups.isEmpty() || part.plot.peers < 0) {
            throw new JsonProblem("part=" + part.part + ": plot: expected groups and peers >= 0, got groups="
                    + part.plot.groups + ", peers=" + part.plot.peers);
        }
    }

    private static void checkPattern(String what, String text) throws JsonProblem {
        try {
            Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new JsonProblem(what + ": not a regular expression: '" + text + "'");
        }
    }

    private static void check(String what, Pattern form, String text) throws JsonProblem {
        if (!form.matcher(text).matches()) {
            throw new JsonProblem(what + ": expected " + form + ", got '" + text + "'");
        }
    }

    /**
     * A part's page and plot.
     *
     * @param part name of its files, {@code queue}
     * @param title heading of its page
     * @param tables at least one; the plot shows the run of the first
     * @param plot the drawing on its page
     */
    public record Part(String part, String title, List<Table> tables, Plot plot) {}

    /**
     * Figures of an origin document without a workload that answers them.
     *
     * @param seeds regular expression that a reference {@code file#table/row} matches as a whole
     * @param reason why nothing here answers them, and where a near figure stands
     */
    public record Gap(String seeds, String reason) {}

    /**
     * A table of some workloads of one run.
     *
     * @param title heading of the table
     * @param run {@code <host>/<date>-<commit>} below the folder of results
     * @param workloads regular expression that is looked for in ids of workloads
     */
    public record Table(String title, String run, String workloads) {}

    /**
     * The headline of a part as a drawing.
     *
     * @param title at most about 40 characters, the width of a phone
     * @param groups workloads with their threads, {@code queue-write-synced/t8}, in the order shown; all with one unit
     * @param peers how many peers of each group are shown, the best first
     * @param also subjects that are shown whether they are among the best or not
     */
    public record Plot(String title, List<String> groups, int peers, List<String> also) {}
}
