package dev.touchstone.harness.publish;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.report.text.RunText;
import dev.touchstone.harness.store.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Pages of {@code docs/results}: one for each part with its plot and its full tables, and the overview. */
final class ResultPage {
    private static final String RESULTS = "../../results/";
    /** Last lines of each page. */
    static final String SOURCE =
            "This page is generated from recorded runs below `results/`: change `results/published.json` and run the capsule's "
                    + "`report --publish .`; a test fails where the page differs from its runs.\n";

    private static final String HOW_TO_READ = """
            ## How to read the tables
            - A **subject** is an implementation that is measured: *ours*, a *peer* (another implementation of the same task) or a *ceiling*
              (the simplest code that does the unavoidable work, on the same machine in the same run). Subjects beside each other promise the
              same unless the workload's name says what differs; durability is part of the name.
            - A score is the median over forks. A fork is one fresh JVM. Subjects take turns fork by fork, because the speed of a machine drifts.
            - *Ours is* `2.00x`: ours is two times better, that is, it has twice the rate or needs half the time. The ratio is taken over pairs of
              forks of the same round. Below `1x` ours is worse. Beside a ceiling the ratio is the share of the ceiling that ours reaches; above
              `1x` that code is no limit.
            - `[low, high]` is an interval that holds the true ratio with a probability of at least 95 % (exact signed-rank), which takes six
              rounds. `(low–high)` is the lowest and the highest ratio of fewer rounds, and no interval. Where the range holds 1, the table shows
              no difference.
            - Plots, and the table below, show *undecided* in the place of a ratio that the run has not decided: more rounds may show either side better.
            - A table of *settings* shows peers as the other tables measure them, under *ours*, beside other settings of the same peer. Where one is better, the
              other tables are unfair to that peer by as much.
            - *Per operation* are counters divided by the number of operations, such as processor time or bytes allocated: ours / what stands
              beside it.
            - Subjects that were not run have no line. A subject whose forks failed has a line that says so.
            - Figures of two machines, JDKs or file systems are not comparable. The line below each table names its own.
            - Every fork is recorded below `results/<host>/<date>-<commit>/`, failed and disturbed ones too, marked as such.
            """;

    private ResultPage() {}

    /** Returns the page of one part; {@code runs} has one input for each of its tables. */
    static String ofPart(Published.Part part, List<ReportInput> runs) {
        StringBuilder out = new StringBuilder("# " + part.title() + ": results\n\n");
        out.append(picture(part, "../plots/")).append('\n');
        out.append("[How to read the tables](README.md#how-to-read-the-tables) · [all parts](README.md)\n");
        for (int i = 0; i < runs.size(); i++) {
            Published.Table table = part.tables().get(i);
            List<Group> groups = groups(runs.get(i)).stream()
                    .filter(group -> Pattern.compile(table.workloads())
                            .matcher(group.workload().id())
                            .find())
                    .toList();
            if (groups.isEmpty()) {
                throw new IllegalArgumentException("part=" + part.part() + ": no workload of run " + table.run()
                        + " matches workloads=" + table.workloads());
            }
            out.append("\n## ").append(table.title()).append("\n\n");
            table(out, groups, "peer", ResultPage::peersOrCeilings, (group, row) -> false);
            out.append('\n');
            source(out, table.run(), runs.get(i));
        }
        return out.append('\n').append(SOURCE).toString();
    }

    /** Returns the page that links the parts, says how to read the tables, and shows the best peer of each workload of one run. */
    static String overview(Published published, ReportInput input) {
        StringBuilder out = new StringBuilder("# Results\n\n");
        published.parts().forEach(part -> out.append("- [" + part.title() + "](" + part.part() + ".md)\n"));
        out.append("- [All figures of the origin documents](origin.md)\n");
        out.append('\n').append(HOW_TO_READ);
        out.append("\n## Every part in one run\n\nEach workload beside the best of its peers.\n\n");
        Undecided undecided = new Undecided(input);
        for (Published.Part part : published.parts()) {
            out.append("### ").append(part.title()).append("\n\n");
            List<Group> groups = groups(input).stream()
                    .filter(group -> group.workload().part().equals(part.part()))
                    .toList();
            table(out, groups, "best peer", ResultPage::best, undecided::has);
            out.append('\n');
        }
        source(out, published.overview(), input);
        return out.append('\n').append(SOURCE).toString();
    }

    /** Returns the part's plot as HTML that GitHub shows in Markdown. */
    private static String picture(Published.Part part, String folder) {
        return "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"" + folder
                + Publication.plotName(part, PlotColours.DARK) + "\">\n  <img width=\"100%\" src=\"" + folder
                + Publication.plotName(part, PlotColours.LIGHT) + "\" alt=\""
                + part.plot().title()
                + ". Plot of ours, its peers and the ceiling; docs/results/" + part.part()
                + ".md has the figures.\">\n</picture>\n";
    }

    private static List<Group> groups(ReportInput input) {
        return input.comparison().groups();
    }

    private static void table(
            StringBuilder out,
            List<Group> groups,
            String peer,
            Function<Group, List<Row>> rows,
            BiPredicate<Group, Row> isUndecided) {
        boolean counted = groups.stream().anyMatch(group -> hasCounters(group.ours()));
        line(out, counted, "workload", "ours", peer, "score", "ours is", "per operation: ours / beside");
        out.append("| --- | --: | --- | --: | --: |").append(counted ? " --- |\n" : "\n");
        for (Group group : groups) {
            String workload = name(group, groups);
            String ours = score(group.ours()) + " " + group.unit();
            List<Row> beside = rows.apply(group);
            for (Row row : beside) {
                String ratio = isUndecided.test(group, row) ? Undecided.TEXT : Format.ratio(row.ratio());
                line(out, counted, workload, ours, label(row), score(row), ratio, counters(group.ours(), row));
                workload = "";
                ours = "";
            }
            if (beside.isEmpty()) {
                line(out, counted, workload, ours, "", "", "", "");
            }
        }
    }

    private static boolean hasCounters(Row row) {
        return !row.perOperation().isEmpty();
    }

    /** Returns the counters that both rows have, each as ours and the other's. */
    private static String counters(Row ours, Row beside) {
        List<String> texts = new ArrayList<>();
        ours.perOperation().forEach((label, ratio) -> {
            Double other = beside.perOperation().get(label);
            if (other != null) {
                texts.add(label + " " + Format.perOperation(ratio) + " / " + Format.perOperation(other));
            }
        });
        return String.join("; ", texts);
    }

    /** Returns title and threads; the parameters too where another group of the table has the same title and threads. */
    private static String name(Group group, List<Group> groups) {
        long alike = groups.stream()
                .filter(other ->
                        other.workload().title().equals(group.workload().title()) && other.threads() == group.threads())
                .count();
        String threads = group.threads() > 0 ? " · " + group.threadsText() : "";
        return alike == 1 ? group.workload().title() + threads : group.heading();
    }

    private static List<Row> peersOrCeilings(Group group) {
        return group.shown().stream().filter(row -> row.kind() != Row.Kind.OURS).toList();
    }

    /** Returns the best peer, the peers that failed, and the ceiling. */
    private static List<Row> best(Group group) {
        List<Row> peers = group.bestPeers();
        return peersOrCeilings(group).stream()
                .filter(row -> row.kind() == Row.Kind.CEILING || row.equals(peers.get(0)) || row.failed() > 0)
                .toList();
    }

    private static String label(Row row) {
        return row.kind() == Row.Kind.CEILING ? "ceiling: " + row.label() + " (" + row.level() + ")" : row.label();
    }

    private static String score(Row row) {
        String score = Format.score(row.summary());
        return row.failed() == 0
                ? score
                : "failed " + row.failed() + " of "
                        + (row.failed() + row.scores().size()) + (row.summary() == null ? "" : ", " + score);
    }

    private static void source(StringBuilder out, String run, ReportInput input) {
        out.append("<sub>[Recorded run](" + RESULTS + run + "/report.md) · ");
        out.append(MarkdownReport.text(
                RunText.when(input) + " · build " + input.run().commit() + " · " + RunText.machine(input)));
        out.append("</sub>\n");
    }

    /** Appends a line of a table, without the last cell where its column is left out. */
    private static void line(StringBuilder out, boolean withLast, String... cells) {
        Stream.of(cells)
                .limit(withLast ? cells.length : cells.length - 1)
                .forEach(cell ->
                        out.append("| ").append(MarkdownReport.text(cell)).append(' '));
        out.append("|\n");
    }
}
