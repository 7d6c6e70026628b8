package dev.touchstone.harness.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixReaderTest {
    @Test
    void parse_sample_allThere() {
        Matrix matrix = Matrices.sample();
        assertThat(matrix.workloads()).hasSize(2);
        assertThat(matrix.subjects()).containsOnlyKeys("OURS", "PEER", "CEILING");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"schema\": 1 | \"schema\": 2 | schema: expected 1, got 2",
                "\"ours\": \"OURS\" | \"ours\": \"NOBODY\" | workloads[0].ours: no subject 'NOBODY'",
                "[\"PEER\"] | [\"NOBODY\"] | workloads[0].peers: no subject 'NOBODY'",
                "\"flags\": \"opens\" | \"flags\": \"none\" | subjects.PEER.flags: no flag set 'none'",
                "\"flags\": \"opens\" | \"flags\": null, \"adapters\": [\"open\"] | subjects.PEER.adapters: expected package.Class.method",
                "\"part\": \"queue\", | | workloads[0].part: expected a value, got none",
                ", \"timesThreads\": true | | timesThreads: expected a value, got none",
                "\"peers\": [\"PEER\"]} | \"peers\": [\"OURS\"]} | workloads[0].quick.peers: no peer 'OURS' of this workload",
                "[8] | [0] | workloads[0].quick.threads: expected 1..10000, got 0",
                "\"level\": | \"niveau\": | unknown field 'niveau'",
                "\"id\": \"mixed\" | \"id\": \"write\" | workloads[1].id: 'write' is taken",
                "\"id\": \"write\" | \"id\": \"../write\" | workloads[0].id: expected letters",
                "{\"size\": | {\"../size\": | workloads[1].params: expected letters",
                "[1, 8] | [1], \"flags\": \"none\" | workloads[0].flags: no flag set 'none'",
                "[1, 8] | [0] | workloads[0].threads: expected 1..10000, got 0",
                "\"workload\": \"write\" | \"workload\": \"read\" | seedRows[0].workload: no workload 'read'",
                "{\"size\": \"SMALL\"} | {\"size\": null} | workloads[1].params.size: expected a value, got none",
            })
    void parse_broken_namesThePlace(String good, @Nullable String bad, String message) {
        String json = Matrices.SAMPLE.replaceFirst(Pattern.quote(good), bad == null ? "" : bad);
        assertThat(json).isNotEqualTo(Matrices.SAMPLE);
        assertThatThrownBy(() -> MatrixReader.parse("matrix.json", json))
                .isInstanceOf(MatrixException.class)
                .hasMessageStartingWith("matrix.json: ")
                .hasMessageContaining(message);
    }
}
