package dev.touchstone.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.touchstone.harness.report.Fixtures;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class JsonReportTest {
    @Test
    void render_read_isTheTree() throws IOException {
        JsonNode root = new JsonMapper().readTree(JsonReport.render(Fixtures.input(6)));
        assertThat(root.at("/schema").asInt()).isEqualTo(1);
        assertThat(root.at("/failed").asBoolean()).isTrue();
        JsonNode tape = root.at("/groups/0/rows/1");
        assertThat(tape.at("/subject").asText()).isEqualTo("TAPE");
        assertThat(tape.at("/score/n").asInt()).isEqualTo(6);
        assertThat(tape.at("/ratio/ratio").asDouble()).isBetween(20.0, 30.0);
        assertThat(tape.at("/ratio/coverage").asDouble()).isEqualTo(0.96875);
        assertThat(tape.at("/forks")).hasSize(6);
        assertThat(root.at("/groups/1/rows/2/score").isNull()).isTrue();
        assertThat(root.at("/groups/1/rows/2/failure").asText()).contains("exit=134");
        assertThat(root.at("/seeds/0/rows/0/seed").asDouble()).isEqualTo(11827.501);
    }

    @Test
    void tree_oneRound_hasNoNotANumber() throws IOException {
        assertThat(JsonReport.render(Fixtures.input(1))).doesNotContain("NaN").contains("\"spreadPercent\" : null");
    }
}
