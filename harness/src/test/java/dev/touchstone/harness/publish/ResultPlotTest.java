package dev.touchstone.harness.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.report.Fixtures;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.store.Published;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.InputSource;

class ResultPlotTest {
    private static final String WRITES = "queue-write-synced/t8";

    @ParameterizedTest
    @EnumSource(PlotColours.class)
    void render_markupAndFailures_isXmlWithTextsAndWithoutRequests(PlotColours colours) throws Exception {
        String svg = draw(Fixtures.input(200), plot(9, "queue-write-batched/t1"), colours);
        var root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getDocumentElement();
        assertThat(root.getAttribute("role")).isEqualTo("img");
        assertThat(root.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("A plot, ops/s");
        assertThat(root.getElementsByTagName("desc").item(0).getTextContent())
                .contains("Chronicle Queue 2", "ours is", Fixtures.MARKUP + " (200 failed) failed");
        assertThat(svg).contains(">failed</text>").doesNotContain(Fixtures.MARKUP, "href", "url(", "@import");
    }

    @Test
    void render_subjects_fromBestToWorstWithTheCeilingLast() throws IOException {
        assertThat(labels(draw(Fixtures.input(12), plot(9, WRITES))))
                .containsExactly(
                        "Touchstone synced", "Chronicle Queue, SYNC", "tape 2.0.0-beta1", "ceiling: O_DSYNC writes");
        String lost = draw(Fixtures.input(12), plot(9, "queue-mixed-synced/t0"));
        assertThat(labels(lost)).as("a loss").containsExactly("tape 2.0.0-beta1", "Touchstone synced");
        assertThat(lost).containsPattern("class=\"end ratio worse\"[^>]*>0[.]6");
    }

    @Test
    void render_fewerPeersThanRun_showsTheBestAndTheNamedOnesAndSaysSo() throws IOException {
        String svg = draw(Fixtures.input(12), plot(1, WRITES));
        assertThat(labels(svg)).doesNotContain("tape 2.0.0-beta1");
        assertThat(svg).contains("Shown: the best peer.").contains("docs/results/queue.md");
        Published.Plot also = new Published.Plot("A plot", List.of(WRITES), 1, List.of("TAPE"));
        assertThat(labels(draw(Fixtures.input(12), also))).contains("tape 2.0.0-beta1");
    }

    @Test
    void render_undecidedRatio_isNotShown() throws IOException {
        String svg = draw(Fixtures.input(6), plot(9, WRITES));
        assertThat(svg).containsPattern("class=\"end ratio\"[^>]*>undecided<").contains("ops/s, undecided;");
    }

    @Test
    void render_unknownNameOrSeveralUnits_isRefused() throws IOException {
        ReportInput input = Fixtures.input(12);
        assertThatThrownBy(() -> draw(input, plot(1, "queue-write-synced/t3")))
                .hasMessageContaining("group=queue-write-synced/t3: expected once");
        assertThatThrownBy(() -> draw(input, plot(1, WRITES, "queue-scan/t1")))
                .hasMessageContaining("expected one unit, got ops/s and s/op");
        Published.Plot misspelt = new Published.Plot("A plot", List.of(WRITES), 1, List.of("TAPES"));
        assertThatThrownBy(() -> draw(input, misspelt)).hasMessageContaining("unknown subject=TAPES");
    }

    @Test
    void fold_longText_breaksAtTheSeparatorOnly() {
        assertThat(ResultPlot.fold("a b · c d · e", " · ", 9)).containsExactly("a b · c d", "e");
        assertThat(ResultPlot.fold("unbreakable word", " ", 5)).containsExactly("unbreakable", "word");
    }

    @ParameterizedTest
    @EnumSource(PlotColours.class)
    void foregrounds_everyColour_hasContrastOfAtLeastFourAndAHalf(PlotColours colours) {
        assertThat(colours.foregrounds())
                .allSatisfy(colour ->
                        assertThat(contrast(colour, colours.paper())).as(colour).isGreaterThanOrEqualTo(4.5));
    }

    /** Returns the contrast ratio of two colours as WCAG 2 defines it. */
    private static double contrast(String one, String other) {
        double first = luminance(one);
        double second = luminance(other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(String colour) {
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            double share = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static List<String> labels(String svg) {
        return Pattern.compile("<tspan class=\"wide\">([^<]*)<")
                .matcher(svg)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static Published.Plot plot(int peers, String... groups) {
        return new Published.Plot("A plot", List.of(groups), peers, List.of());
    }

    private static String draw(ReportInput input, Published.Plot plot) {
        return draw(input, plot, PlotColours.LIGHT);
    }

    private static String draw(ReportInput input, Published.Plot plot, PlotColours colours) {
        return ResultPlot.render(input, plot, "queue", colours);
    }
}
