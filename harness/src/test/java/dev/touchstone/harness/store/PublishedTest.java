package dev.touchstone.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.file.ResultFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedTest {
    private static final String GOOD = """
            {"schema": 1, "overview": "host/run", "parts": [{"part": "queue", "title": "Queue",
             "tables": [{"title": "All", "run": "host/run-2", "workloads": "^queue-"}],
             "plot": {"title": "Writes", "groups": ["write/t1"], "peers": 3, "also": []}}],
             "gaps": [{"seeds": "queue#old/.*", "reason": "nobody has it"}]}
            """;

    @TempDir
    private Path results;

    @Test
    void read_goodFile_givesItsParts() throws IOException {
        assertThat(read(GOOD).parts())
                .singleElement()
                .satisfies(part -> assertThat(part.tables().get(0).run()).isEqualTo("host/run-2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"queue\"       | \"../queue\"  | part: expected",
                "host/run-2      | ../../etc     | part=queue: run: expected",
                "host/run\"      | host\"        | overview: expected",
                "^queue-         | (             | workloads: not a regular expression: '('",
                "[\"write/t1\"]  | []            | plot: expected groups",
                "\"peers\": 3    | \"peers\": -1 | peers=-1",
                "\"also\": []    | \"other\": [] | other",
                "queue#old/      | (             | gaps: seeds: not a regular expression: '(.*'",
            })
    void read_badFile_isRefusedWithItsNameAndTheReason(String good, String bad, String reason) {
        assertThatThrownBy(() -> read(GOOD.replace(good, bad)))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("published.json")
                .hasMessageContaining(reason);
    }

    private Published read(String json) throws IOException {
        Files.writeString(results.resolve(Published.FILE), json);
        return Published.read(results);
    }
}
