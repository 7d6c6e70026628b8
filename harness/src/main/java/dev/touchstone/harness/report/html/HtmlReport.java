package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.text.Footnotes;
import dev.touchstone.harness.report.text.Links;
import dev.touchstone.harness.report.text.RunText;
import dev.touchstone.harness.run.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A recorded run as one self-contained HTML page: no script, no request, opens from a file, light and dark, phone to desktop. */
public final class HtmlReport {
    /** The page may load nothing; its styles stand in it. */
    static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

    /** Choices that the style sheet acts on, since the page has no script. */
    private static final String FILTER = """
            <fieldset class="filter"><legend>Show where ours is</legend>
            <label><input type="radio" name="show" id="show-all" checked> anywhere</label>
            <label><input type="radio" name="show" id="show-better"> ahead</label>
            <label><input type="radio" name="show" id="show-worse"> behind</label>
            <label><input type="radio" name="show" id="show-open"> undecided</label></fieldset>
            """;

    private HtmlReport() {}

    /** The whole page, without links to what stands beside it. */
    public static String render(ReportInput input) {
        return render(input, Links.NONE);
    }

    /** The whole page. */
    public static String render(ReportInput input, Links links) {
        Comparison comparison = input.comparison();
        Html html = new Html();
        head(html, input);
        header(html, input, comparison);
        html.raw("<main>");
        HtmlResults results = new HtmlResults(html, comparison, links);
        HtmlDetails details = new HtmlDetails(html, input, links);
        html.raw(results.hasRatios() || input.run().baseline() != null ? FILTER : "");
        input.changes().ifPresent(changes -> new HtmlChanges(html, changes).section());
        History history = input.history();
        if (history != null && !history.lines().isEmpty()) {
            new HtmlHistory(html, history).section();
        }
        results.section();
        Latencies latencies = input.latencies();
        if (!latencies.tables().isEmpty()) {
            new HtmlLatencies(html, latencies).section();
        }
        details.seeds(comparison);
        notes(html, input, comparison);
        details.machine();
        details.noise();
        details.subjects();
        details.run();
        return html.raw("</main></body></html>\n").toString();
    }

    private static void head(Html html, ReportInput input) {
        html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">");
        html.element("title", RunText.title(input)).raw("<style>").raw(style()).raw("</style></head><body>\n");
    }

    private static void header(Html html, ReportInput input, Comparison comparison) {
        String profile = input.run().profile();
        String name = profile.isEmpty() || profile.equals(Profile.RUN.label())
                ? "Run"
                : profile.substring(0, 1).toUpperCase(Locale.ROOT) + profile.substring(1) + " run";
        html.raw("<header><p class=\"eyebrow\">Touchstone</p>");
        html.element("h1", name + " of " + input.run().startedAt().split("T", 2)[0]);
        html.element("p class=\"lead\"", RunText.build(input));
        html.element("p class=\"sub\"", RunText.machine(input));
        Footnotes.warnings(input, comparison).forEach(warning -> html.element("p class=\"warning\"", warning));
        html.raw("<nav>").raw(input.run().baseline() == null ? "" : "<a href=\"#changes\">Changes</a>");
        History nights = input.history();
        html.raw(nights == null || nights.lines().isEmpty() ? "" : "<a href=\"#history\">Nights</a>");
        html.raw("<a href=\"#results\">Results</a>")
                .raw(input.latencies().tables().isEmpty() ? "" : "<a href=\"#latency\">Response times</a>")
                .raw("<a href=\"#notes\">How to read</a><a href=\"#machine\">Machine</a><a href=\"#noise\">Noise</a>"
                        + "<a href=\"#subjects\">Subjects</a><a href=\"#run\">Run</a></nav></header>");
    }

    private static void notes(Html html, ReportInput input, Comparison comparison) {
        html.fold("notes", "How to read this").raw("<ul>");
        Footnotes.notes(input, comparison).forEach(note -> html.element("li", note));
        html.raw("</ul>").endFold();
    }

    private static String style() {
        try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
            if (css == null) {
                throw new IllegalStateException("report.css is missing from the harness's jar");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
