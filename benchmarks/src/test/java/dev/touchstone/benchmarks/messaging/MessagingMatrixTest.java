package dev.touchstone.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the matrix says of messaging holds together with the benchmarks, the subjects and the origin document. */
final class MessagingMatrixTest {

    private static final String SEED = "messaging-encon";

    private static Matrix matrix;

    @BeforeAll
    static void read() throws Exception {
        matrix = MatrixReader.fromClassPath(MessagingMatrixTest.class.getClassLoader());
    }

    @Test
    void workloads_eachTermAndWay_hasOne() {
        assertThat(workloads()
                        .filter(workload -> workload.benchmark().contains("TermBenchmark")
                                && workload.ours().equals("OURS"))
                        .map(workload -> workload.id() + " "
                                + workload.benchmark()
                                        .substring(workload.benchmark().lastIndexOf('.') + 1) + " "
                                + workload.params().get("term")))
                .containsExactlyInAnyOrderElementsOf(Stream.of("encode", "decode")
                        .flatMap(way -> Stream.of(SampleTerm.values())
                                .map(term -> "messaging-term-" + way + "-"
                                        + term.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + way
                                        + " " + term))
                        .toList());
    }

    @Test
    void dropIn_eachOfItsWorkloads_isBesideJinterfaceBelowOurOwnApi() {
        assertThat(workloads().filter(workload -> workload.ours().equals("OURS_DROP_IN")))
                .isNotEmpty()
                .allSatisfy(workload -> {
                    assertThat(workload.id()).startsWith("messaging-drop-in-");
                    assertThat(workload.peers()).containsExactly("JINTERFACE");
                    assertThat(workload.ceiling()).isEqualTo(new Matrix.Ceiling("OURS", 0, false));
                });
    }

    @Test
    void peers_noneIsOursOrACeiling() {
        assertThat(workloads().flatMap(workload -> workload.peers().stream()))
                .isNotEmpty()
                .noneMatch(peer ->
                        peer.startsWith("OURS") || DeclaredSubject.of(peer).ceiling());
    }

    @Test
    void seedRows_eachRowOfTheDocument_isAnsweredOnceByACellThatIsMeasured() throws IOException {
        List<Matrix.SeedRow> answers = matrix.seedRows().stream()
                .filter(row -> row.seed().startsWith(SEED + "#"))
                .toList();
        assertThat(answers.stream().map(Matrix.SeedRow::seed)).containsExactlyInAnyOrderElementsOf(documentRows());
        assertThat(answers)
                .allSatisfy(row -> assertThat(workloads()).anySatisfy(workload -> {
                    assertThat(workload.id()).isEqualTo(row.workload());
                    assertThat(workload.subjects()).contains(row.ours(), row.peer());
                    assertThat(workload.threads()).contains(row.threads());
                }));
    }

    private static Stream<Matrix.Workload> workloads() {
        return matrix.workloads().stream().filter(workload -> workload.part().equals(MessagingRule.PART));
    }

    private static List<String> documentRows() throws IOException {
        String resource = "META-INF/touchstone/seed/" + SEED + ".json";
        List<String> rows = new ArrayList<>();
        try (InputStream in = MessagingMatrixTest.class.getClassLoader().getResourceAsStream(resource)) {
            JsonNode document = new ObjectMapper().readTree(Objects.requireNonNull(in, resource));
            for (JsonNode table : document.get("tables")) {
                for (JsonNode row : table.get("rows")) {
                    rows.add(SEED + "#" + table.get("id").asText() + "/"
                            + row.get("id").asText());
                }
            }
        }
        return rows;
    }
}
