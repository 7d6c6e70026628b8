package dev.touchstone.harness.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.report.Fixtures;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.report.text.Links;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.report.text.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HtmlReportTest {
    private static final Set<String> VOID = Set.of("meta", "!DOCTYPE", "line", "circle", "polyline", "input");

    @Test
    void render_anyRun_asksForNothing() throws IOException {
        String html = HtmlReport.render(Fixtures.input(6));
        assertThat(html)
                .contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
                .doesNotContain("http://", "https://", "<link", "<img", "<script", "@import", "url(", "src=\"");
        assertThat(html.indexOf("Content-Security-Policy")).isLessThan(html.indexOf("<style>"));
    }

    @Test
    void render_markupInLabelParamAndError_isShownAsText() throws IOException {
        String html = HtmlReport.render(Fixtures.input(3));
        assertThat(html).doesNotContain(Fixtures.MARKUP).contains("size=&lt;script&gt;alert(1)&lt;/script&gt;");
        assertThat(html).contains("FAILED 3 of 3: &lt;script&gt;alert(1)&lt;/script&gt; exit=134");
    }

    @ParameterizedTest
    @CsvSource({"run, Run of 2026-11-20", "quick, Quick run of 2026-11-20"})
    void render_profile_titleNamesItOnce(String profile, String title) throws IOException {
        ReportInput input = Fixtures.input(1);
        ReportInput other = new ReportInput(
                Fixtures.runInfo(1, false, profile), input.environment(), input.matrix(), input.forks(), input.seeds());
        assertThat(HtmlReport.render(other)).contains("<h1>" + title + "</h1>");
    }

    @Test
    void render_anyRun_tagsNest() throws IOException {
        String html = HtmlReport.render(Fixtures.input(1)).replaceFirst("<style>[^<]*</style>", "");
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = Pattern.compile("<(/?)([!a-zA-Z0-9]+)([^>]*)>").matcher(html);
        while (tag.find()) {
            String name = tag.group(2);
            if (!tag.group(1).isEmpty()) {
                assertThat(open.pop()).as("closed at %d", tag.start()).isEqualTo(name);
            } else if (!VOID.contains(name)) {
                open.push(name);
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void render_ratios_areDotsAndIntervals() throws IOException {
        String html = HtmlReport.render(Fixtures.input(6));
        assertThat(html)
                .contains("circle class=\"dot better\"", "line class=\"iv better\"")
                .doesNotContain("<rect");
        assertThat(HtmlReport.render(Fixtures.input(3)))
                .contains("circle class=\"dot open\"")
                .doesNotContain("dot better", "dot worse", "iv better", "iv worse");
    }

    @Test
    void render_besideItsRun_linksToSourceAndData() throws IOException {
        String html = HtmlReport.render(Fixtures.input(6), Links.inRunFolder("bench/src/main/java"));
        assertThat(html)
                .contains(
                        "<a href=\"../../../bench/src/main/java/example/Benchmark.java\"><code>Benchmark.run</code></a>")
                .contains("<a href=\"forks.jsonl\">", "<a href=\"run.json\">", "<a href=\"env.json\">");
        assertThat(HtmlReport.render(Fixtures.input(6)))
                .contains("<code>Benchmark.run</code>")
                .doesNotContain(".jsonl");
    }

    @Test
    void render_parts_foldedWithWhatIsDecided() throws IOException {
        assertThat(HtmlReport.render(Fixtures.input(6)))
                .contains("<details class=\"fold part sided better worse\" open>", "3 ahead", "2 behind")
                .contains("<details class=\"fold group sided better\">", "<details class=\"fold group sided worse\">");
    }

    @Test
    void render_forks_differInColourOnlyWhereTheirRatioIsDecided() throws IOException {
        assertThat(HtmlReport.render(Fixtures.input(6))).contains("\"fork better\"", "\"fork worse\"", "\"fork open\"");
        assertThat(HtmlReport.render(Fixtures.input(3)))
                .contains("\"fork open\"")
                .doesNotContain("\"fork better\"", "\"fork worse\"");
    }

    @Test
    void render_noForkAtAll_isAPage() {
        ReportInput none = new ReportInput(
                Fixtures.runInfo(3, true),
                Fixtures.environment(true),
                Fixtures.matrix(),
                List.of(),
                SeedFigures.none());
        assertThat(HtmlReport.render(none))
                .contains("tmpfs: the data folder is memory")
                .endsWith("</body></html>\n");
    }

    /** Leaves a page to look at: {@code target/sample-report.html}. */
    @Test
    void render_sample_isWritten() throws IOException {
        Path sample = Path.of("target", "sample-report.html");
        Files.writeString(sample, HtmlReport.render(Fixtures.input(6)));
        Files.writeString(Path.of("target", "sample-report.md"), MarkdownReport.render(Fixtures.input(3)));
        Files.writeString(Path.of("target", "sample-report.txt"), TextReport.render(Fixtures.input(3)));
        assertThat(sample).isNotEmptyFile();
    }
}
