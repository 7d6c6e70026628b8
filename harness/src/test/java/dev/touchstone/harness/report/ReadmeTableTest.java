package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadmeTableTest {
    private static final String README = "before\n<!-- results:queue -->\nold\n<!-- /results:queue -->\nafter\n";

    @Test
    void into_markedPlace_replacesOnlyWhatIsBetween() throws IOException {
        String text = ReadmeTable.into(README, Fixtures.input(6));
        assertThat(text)
                .startsWith("before\n<!-- results:queue -->\n| workload |")
                .endsWith("</sub>\n<!-- /results:queue -->\nafter\n")
                .contains("tape 2.0.0-beta1")
                .doesNotContain("old");
        assertThat(ReadmeTable.into(text, Fixtures.input(6))).isEqualTo(text);
    }

    @Test
    void into_runOfSeveralParts_oneLineAWorkloadWithItsNearestPeer() throws IOException {
        ReportInput input = Fixtures.severalParts(6);
        String readme = "<!-- results:all -->\n<!-- /results:all -->\n" + README;
        String text = ReadmeTable.into(readme, input);
        assertThat(text)
                .contains(
                        "| workload | ours | nearest peer |", "| **queue** |", "| **index** |", "Chronicle Queue, SYNC")
                .containsOnlyOnce("tape 2.0.0-beta1")
                .endsWith(README);
        assertThat(ReadmeTable.unlike(text, List.of(input))).containsExactly("queue");
    }

    @Test
    void into_textWithoutMarkers_isRefused() throws IOException {
        ReportInput input = Fixtures.input(6);
        assertThatThrownBy(() -> ReadmeTable.into("nothing", input))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("results:queue");
    }

    @Test
    void unlike_typedFigure_namesThePart() throws IOException {
        ReportInput input = Fixtures.input(6);
        String text = ReadmeTable.into(README, input);
        assertThat(ReadmeTable.unlike(text, List.of(input))).isEmpty();
        assertThat(ReadmeTable.unlike(
                        text.replaceFirst("[0-9]x", "9x").replaceFirst("k ops/s", "M ops/s"), List.of(input)))
                .containsExactly("queue");
        assertThat(ReadmeTable.unlike(text, List.of())).as("no such run").containsExactly("queue");
        assertThat(ReadmeTable.unlike("<!-- results:x -->\n<!-- /results:x -->\n", List.of()))
                .as("not measured yet")
                .isEmpty();
    }
}
