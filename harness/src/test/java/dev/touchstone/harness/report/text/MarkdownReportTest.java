package dev.touchstone.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.report.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownReportTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6})
    void render_tables_areWellFormed(int rounds) throws IOException {
        List<String> lines =
                MarkdownReport.render(Fixtures.input(rounds)).lines().toList();
        int tables = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("\\|( -+:? \\|)+")) {
                tables++;
                int columns = columns(lines.get(i));
                assertThat(columns(lines.get(i - 1))).isEqualTo(columns);
                assertThat(lines.get(i - 2))
                        .as("a table begins after an empty line")
                        .isEmpty();
                for (int row = i + 1; row < lines.size() && lines.get(row).startsWith("|"); row++) {
                    assertThat(columns(lines.get(row))).as(lines.get(row)).isEqualTo(columns);
                }
            }
        }
        assertThat(tables).isPositive();
    }

    @Test
    void render_markup_isShownAsText() throws IOException {
        assertThat(MarkdownReport.render(Fixtures.input(3)))
                .doesNotContain("<script")
                .contains("&lt;script&gt;alert(1)");
    }

    @Test
    void render_seedRowOfAnotherSubject_saysWhoStandsInItsPlace() throws IOException {
        assertThat(MarkdownReport.render(Fixtures.input(3)))
                .containsPattern("synced/t8 \\|[^|]*\\| Chronicle Queue, SYNC, for synced \\|")
                .containsPattern("tape/t8 \\|[^|]*\\| tape 2.0.0-beta1 \\|");
    }

    @Test
    void text_everySpecialCharacter_isEscaped() {
        assertThat(MarkdownReport.text("a|b\n<c> & `d` *e* _f_ [g](h) \\"))
                .isEqualTo("a\\|b &lt;c&gt; &amp; \\`d\\` \\*e\\* \\_f\\_ \\[g\\](h) \\\\");
    }

    /** Separators that aren't escaped, less the outer one. */
    private static int columns(String line) {
        return line.replace("\\\\", "")
                        .replace("\\|", "")
                        .replaceAll("[^|]", "")
                        .length()
                - 1;
    }
}
