package dev.touchstone.harness.report;

import java.util.ArrayList;
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
 */
public final class ReadmeTable {
    private static final Pattern MARK = Pattern.compile("<!-- results:(\\S+) -->");

    private ReadmeTable() {}

    /**
     * The text with every marked place of a part that the run measured made anew.
     *
     * @throws IllegalArgumentException if a part that the run measured has no pair of markers
     */
    public static String into(String readme, ReportInput input) {
        String text = readme;
        for (String part : parts(input)) {
            Marked marked = Marked.find(text, part);
            text = text.substring(0, marked.from) + table(part, input) + text.substring(marked.to);
        }
        return text;
    }

    /** The parts whose marked places hold something that no recorded run of them makes: typed, or of an older form of the table. */
    public static List<String> unlike(String readme, List<ReportInput> recorded) {
        List<String> unlike = new ArrayList<>();
        MARK.matcher(readme).results().map(mark -> mark.group(1)).forEach(part -> {
            Marked marked = Marked.find(readme, part);
            String found = readme.substring(marked.from, marked.to);
            boolean made = found.isBlank()
                    || recorded.stream()
                            .anyMatch(input -> parts(input).contains(part)
                                    && table(part, input).equals(found));
            if (!made) {
                unlike.add(part);
            }
        });
        return unlike;
    }

    private static List<String> parts(ReportInput input) {
        return input.comparison().groups().stream()
                .map(group -> group.workload().part())
                .distinct()
                .toList();
    }

    private static String table(String part, ReportInput input) {
        StringBuilder out = new StringBuilder(
                "| workload | ours | peer | ours is | of the ceiling |\n| --- | --: | --- | --: | --: |\n");
        for (Group group : input.comparison().groups()) {
            if (group.workload().part().equals(part)) {
                append(out, group);
            }
        }
        String source = MarkdownReport.text(
                RunText.when(input) + " · build " + input.run().commit() + " · " + RunText.machine(input));
        return out.append("\n<sub>").append(source).append("</sub>\n").toString();
    }

    private static void append(StringBuilder out, Group group) {
        String ceiling = group.percentOfCeiling()
                .map(percent -> percent > 100 ? "above" : Format.percent(percent))
                .orElse("");
        String workload = group.heading();
        String ours = Format.score(group.ours().summary()) + " " + group.unit();
        for (Row beside : beside(group)) {
            append(
                    out,
                    workload,
                    ours,
                    beside.label() + " " + Format.score(beside.summary()),
                    Format.ratio(beside.ratio()),
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
