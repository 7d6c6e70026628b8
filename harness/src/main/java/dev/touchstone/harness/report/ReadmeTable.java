package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A recorded run's comparisons as one table for a README, put between markers so that no figure is typed:
 *
 * <pre>
 * &lt;!-- results:queue --&gt;
 * ... replaced ...
 * &lt;!-- /results:queue --&gt;
 * </pre>
 *
 * A run of one part has that part's place, and a line for each peer; a run of several has the place {@code all}, and a line for each workload
 * with the peer that comes nearest to ours.
 */
public final class ReadmeTable {
    private static final String ALL = "all";
    private static final Pattern MARK = Pattern.compile("<!-- results:(\\S+) -->");

    private ReadmeTable() {}

    /**
     * The text with the run's marked place made anew.
     *
     * @throws IllegalArgumentException if there is no such pair of markers
     */
    public static String into(String readme, ReportInput input) {
        Marked marked = Marked.find(readme, place(input));
        return readme.substring(0, marked.from) + table(input) + readme.substring(marked.to);
    }

    /** The marked places that hold something that no recorded run of them makes: typed, or of an older form of the table. */
    public static List<String> unlike(String readme, List<ReportInput> recorded) {
        List<String> unlike = new ArrayList<>();
        MARK.matcher(readme).results().map(mark -> mark.group(1)).forEach(place -> {
            Marked marked = Marked.find(readme, place);
            String found = readme.substring(marked.from, marked.to);
            boolean made = found.isBlank()
                    || recorded.stream()
                            .anyMatch(input ->
                                    place(input).equals(place) && table(input).equals(found));
            if (!made) {
                unlike.add(place);
            }
        });
        return unlike;
    }

    private static String place(ReportInput input) {
        List<String> parts = input.comparison().groups().stream()
                .map(group -> group.workload().part())
                .distinct()
                .toList();
        return parts.size() == 1 ? parts.get(0) : ALL;
    }

    private static String table(ReportInput input) {
        boolean all = place(input).equals(ALL);
        StringBuilder out = new StringBuilder("| workload | ours | ")
                .append(all ? "nearest peer" : "peer")
                .append(" | ours is | of the ceiling |\n| --- | --: | --- | --: | --: |\n");
        String part = "";
        for (Group group : input.comparison().groups()) {
            if (all && !group.workload().part().equals(part)) {
                part = group.workload().part();
                out.append("| **").append(part).append("** | | | | |\n");
            }
            append(out, group, all ? nearest(group) : beside(group));
        }
        String source = MarkdownReport.text(
                RunText.when(input) + " · build " + input.run().commit() + " · " + RunText.machine(input));
        return out.append("\n<sub>").append(source).append("</sub>\n").toString();
    }

    private static void append(StringBuilder out, Group group, List<Row> beside) {
        String ceiling = group.percentOfCeiling()
                .map(percent -> percent > 100 ? "above" : Format.percent(percent))
                .orElse("");
        String workload = group.heading();
        String ours = Format.score(group.ours().summary()) + " " + group.unit();
        for (Row row : beside) {
            append(
                    out,
                    workload,
                    ours,
                    row.label() + " " + Format.score(row.summary()),
                    Format.ratio(row.ratio()),
                    ceiling);
            workload = "";
            ours = "";
            ceiling = "";
        }
        if (!workload.isEmpty()) {
            append(out, workload, ours, "", "", "");
        }
    }

    /** The peers; where there is none, the limits. */
    private static List<Row> beside(Group group) {
        List<Row> peers =
                group.rows().stream().filter(row -> row.kind() == Row.Kind.PEER).toList();
        return peers.isEmpty()
                ? group.rows().stream()
                        .filter(row -> row.kind() == Row.Kind.CEILING)
                        .toList()
                : peers;
    }

    /** The peer that ours is the least multiple of, or the limit: what is beyond that does a part of the work only. */
    private static List<Row> nearest(Group group) {
        double limit = group.percentOfCeiling().orElse(0.0) / 100;
        return group.rows().stream()
                .filter(row -> row.kind() == Row.Kind.PEER && multiple(row) >= limit)
                .min(Comparator.comparingDouble(ReadmeTable::multiple))
                .or(group::ceiling)
                .stream()
                .toList();
    }

    private static double multiple(Row row) {
        PairedRatio ratio = row.ratio();
        return ratio == null ? -1 : ratio.ratio();
    }

    private static void append(StringBuilder out, String... cells) {
        for (String cell : cells) {
            out.append("| ").append(MarkdownReport.text(cell)).append(' ');
        }
        out.append("|\n");
    }

    /** What stands between a part's markers. */
    private record Marked(int from, int to) {
        static Marked find(String text, String part) {
            String begin = "<!-- results:" + part + " -->\n";
            String end = "<!-- /results:" + part + " -->";
            int from = text.indexOf(begin);
            int to = text.indexOf(end, Math.max(from, 0));
            if (from < 0 || to < 0) {
                throw new IllegalArgumentException(
                        "no place for part=" + part + ": expected " + begin.strip() + " … " + end);
            }
            return new Marked(from + begin.length(), to);
        }
    }
}
