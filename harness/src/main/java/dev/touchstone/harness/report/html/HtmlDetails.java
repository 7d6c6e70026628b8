package dev.touchstone.harness.report.html;

import dev.touchstone.harness.env.DoctorReport;
import dev.touchstone.harness.env.Finding;
import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedComparison;
import dev.touchstone.harness.report.text.Links;
import dev.touchstone.harness.run.Matrix.Subject;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Noise;
import dev.touchstone.harness.store.RunInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The sections of the HTML page below its figures: origin documents, machine, subjects, noise, and the run itself. */
final class HtmlDetails {
    private final Html html;
    private final ReportInput input;
    private final Links links;

    HtmlDetails(Html html, ReportInput input, Links links) {
        this.html = html;
        this.input = input;
        this.links = links;
    }

    void seeds(Comparison comparison) {
        SeedComparison seeds = SeedComparison.of(input, comparison);
        List<SeedComparison.Table> tables = seeds.tables();
        if (tables.isEmpty()) {
            return;
        }
        html.fold("seeds", "Beside the origin documents");
        html.raw(
                "<p class=\"sub\">Seed figures come from other machines and years: compare ratios, not scores. A peer \"for\" a subject stands in its place.</p>");
        for (SeedComparison.Table table : tables) {
            html.raw("<article>").element("h3", table.title());
            open("row", "#seed, " + table.unit(), "peer", "#peer here", "#ours here", "#ours is", "#ceiling");
            table.rows().forEach(this::seedLine);
            close();
            String conditions = table.origin().table().conditions();
            html.element("p class=\"sub\"", conditions == null ? "" : conditions + ".")
                    .raw("</article>");
        }
        html.raw("<div class=\"after\">");
        seeds.conditions().forEach(conditions -> html.element("p class=\"sub\"", conditions));
        html.raw("</div>");
        html.endFold();
    }

    void machine() {
        html.fold("machine", "The machine, and what it means");
        open("what", "value", "meaning");
        for (Finding finding : DoctorReport.of(input.environment()).findings()) {
            String severity = finding.severity().name().toLowerCase(Locale.ROOT);
            html.raw("<tr class=\"" + severity + "\"><th scope=\"row\">")
                    .text(finding.name())
                    .raw("</th>");
            html.cell("value", "wrap", finding.value()).openCell("meaning", "wrap");
            if (finding.severity() != Finding.Severity.OK) {
                html.element("span class=\"badge\"", severity).raw(" ");
            }
            html.text(finding.meaning()).raw("</td></tr>");
        }
        close();
        html.endFold();
    }

    void subjects() {
        Map<String, List<String>> flags = new TreeMap<>();
        input.forks().forEach(fork -> flags.put(fork.subject(), fork.jvmFlags()));
        html.fold("subjects", "Subjects, as they were set up").raw("<div class=\"subjects\">");
        flags.forEach((name, jvmFlags) -> {
            Subject subject = input.matrix().subjects().get(name);
            html.raw("<article>").element("h3", subject == null ? name : subject.label());
            if (subject != null) {
                html.element("p class=\"sub\"", subject.level()).element("p", subject.config());
            }
            html.raw("<p class=\"flags\">");
            jvmFlags.forEach(flag -> html.element("code", flag).raw(" "));
            html.raw("</p></article>");
        });
        html.raw("</div>").endFold();
    }

    void noise() {
        html.fold("noise", "The machine meanwhile");
        html.raw("<p class=\"sub\">Over " + input.forks().size()
                + " forks: the system's own counters, and four fixed pieces of work.</p>");
        open("what", "#median", "#worst", "worst fork");
        for (Noise.Kind kind : Noise.Kind.values()) {
            figures(kind.label(), fork -> fork.noise().get(kind));
        }
        for (ReferenceLoad.Kind kind : ReferenceLoad.Kind.values()) {
            figures("µs before the fork: " + kind.work(), fork -> ruler(fork, kind));
        }
        close();
        html.endFold();
    }

    void run() {
        RunInfo run = input.run();
        html.fold("run", "The run");
        open("what", "value");
        fact("build", run.version() + " " + run.commit() + (run.dirty() ? ", with uncommitted changes" : ""));
        fact("command line", String.join(" ", run.commandLine()));
        fact("started", run.startedAt());
        fact("finished", run.finishedAt() == null ? "not finished" : run.finishedAt());
        fact("JVM of the forks", run.jdk());
        fact("data folder", run.dataFolder() + (run.tmpfs() ? " (tmpfs)" : ""));
        fact("cells, rounds", run.cells().size() + ", " + run.rounds());
        run.settings().forEach(this::fact);
        close();
        if (links.files()) {
            html.raw(
                    "<p class=\"from\">As data: <a href=\"run.json\">the run</a>, <a href=\"env.json\">the machine</a>,"
                            + " <a href=\"forks.jsonl\">every fork</a>.</p>");
        }
        html.endFold();
    }

    private void seedLine(SeedComparison.Line line) {
        html.raw("<tr><th scope=\"row\">").text(line.seed().id()).raw("</th>");
        html.cell("seed", "n", line.seed().figure()).cell("peer", "wrap", line.peerText());
        html.cell("peer here", "n", Format.score(line.peer())).openCell("ours here", "n");
        html.element("b", Format.score(line.ours())).raw("</td>").cell("ours is", "n", Format.ratio(line.ratio()));
        html.cell("ceiling", "n", Format.score(line.ceiling())).raw("</tr>");
    }

    private static double ruler(ForkResult fork, ReferenceLoad.Kind kind) {
        ReferenceLoad ruler = fork.ruler();
        return ruler == null ? -1 : ruler.get(kind);
    }

    /** A line of what is known of every fork; below 0 is unknown. */
    private void figures(String what, ToDoubleFunction<ForkResult> figure) {
        List<ForkResult> known = new ArrayList<>(input.forks());
        known.removeIf(fork -> figure.applyAsDouble(fork) < 0);
        html.raw("<tr><th scope=\"row\">").text(what).raw("</th>");
        if (known.isEmpty()) {
            html.raw("<td class=\"n\">unknown</td><td></td><td></td></tr>");
            return;
        }
        double[] sorted = known.stream().mapToDouble(figure).toArray();
        Arrays.sort(sorted);
        double worst = sorted[sorted.length - 1];
        String fork = known.stream()
                .filter(candidate -> figure.applyAsDouble(candidate) == worst)
                .map(candidate -> candidate.cell() + ", round " + candidate.round())
                .findFirst()
                .orElse("");
        html.cell("median", "n", number(sorted[sorted.length / 2])).cell("worst", "n", number(worst));
        html.cell("worst fork", "wrap", worst == 0 ? "" : fork).raw("</tr>");
    }

    private void fact(String name, String value) {
        html.raw("<tr><th scope=\"row\">").text(name).raw("</th>");
        html.cell("value", "wrap", value).raw("</tr>");
    }

    /** Begins a table; a column with {@code #} in front holds figures. */
    private void open(String... columns) {
        html.raw("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
        for (String column : columns) {
            boolean figures = column.startsWith("#");
            html.element(figures ? "th class=\"n\"" : "th", figures ? column.substring(1) : column);
        }
        html.raw("</tr></thead><tbody>");
    }

    private void close() {
        html.raw("</tbody></table></div>");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
