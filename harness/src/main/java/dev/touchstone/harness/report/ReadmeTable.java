package dev.touchstone.harness.report;

import java.util.List;

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
    private ReadmeTable() {}

    /**
     * The text with every marked place of a part that the run measured made anew.
     *
     * @throws IllegalArgumentException if a part that the run measured has no pair of markers
     */
    public static String into(String readme, ReportInput input) {
        List<String> parts = input.comparison().groups().stream()
                .map(group -> group.workload().part())
                .distinct()
                .toList();
        String text = readme;
        for (String part : parts) {
            String begin = "<!-- results:" + part + " -->\n";
            String end = "<!-- /results:" + part + " -->";
            int from = text.indexOf(begin);
            int to = text.indexOf(end, Math.max(from, 0));
            if (from < 0 || to < 0) {
                throw new IllegalArgumentException(
                        "no place for part=" + part + ": expected " + begin.strip() + " … " + end);
            }
            text = text.substring(0, from + begin.length()) + table(part, input) + text.substring(to);
        }
        return text;
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
        for (Row peer : group.rows()) {
            if (peer.kind() == Row.Kind.PEER) {
                List<String> cells = List.of(
                        workload,
                        ours,
                        peer.label() + " " + Format.score(peer.summary()),
                        Format.ratio(peer.ratio()),
                        ceiling);
                cells.forEach(cell ->
                        out.append("| ").append(MarkdownReport.text(cell)).append(' '));
                out.append("|\n");
                workload = "";
                ours = "";
                ceiling = "";
            }
        }
    }
}
