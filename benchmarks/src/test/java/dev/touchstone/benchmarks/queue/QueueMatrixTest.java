package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the matrix says of the queue holds together with the benchmarks, the subjects and the origin document. */
final class QueueMatrixTest {

    private static final String FOLDER = "META-INF/touchstone/";
    private static final String SEED = "queue-popout";

    private static Matrix matrix;

    @BeforeAll
    static void read() throws Exception {
        matrix = MatrixReader.fromClassPath(QueueMatrixTest.class.getClassLoader());
    }

    /** A scan is of files that were forced and opened anew, so there the promise of a write does not matter. */
    @Test
    void peers_promiseWhatOursDoes_orTheTitleSaysThatTheyDoNot() {
        List<Matrix.Workload> written = workloads()
                .filter(workload -> !workload.benchmark().endsWith(".scan"))
                .toList();
        assertThat(written).isNotEmpty().allSatisfy(workload -> {
            String ours = QueueSubject.of(workload.ours()).promise();
            boolean alike = workload.peers().stream()
                    .allMatch(peer -> QueueSubject.of(peer).promise().equals(ours));
            boolean told = workload.title().contains(ours + " (a peer ");
            assertThat(told).as(workload.title()).isNotEqualTo(alike);
        });
    }

    @Test
    void durablePeers_onlyBesideOursThatIsDurable() {
        assertThat(workloads())
                .allSatisfy(workload -> assertThat(workload.subjects())
                        .allMatch(subject -> QueueSubject.of(subject).durable()
                                == QueueSubject.of(workload.ours()).durable()));
    }

    @Test
    void peers_noneIsOurs() {
        assertThat(workloads().flatMap(workload -> workload.peers().stream()))
                .isNotEmpty()
                .noneMatch(peer -> peer.startsWith("OURS"));
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
                    assertThat(workload.threads().isEmpty() ? List.of(0) : workload.threads())
                            .contains(row.threads());
                }));
    }

    @Test
    void chronicleFlags_openings_areInTheListOfTheCapsule() throws IOException {
        List<String> openings = text("add-opens.txt").lines().toList();
        assertThat(Objects.requireNonNull(matrix.flagSets().get("chronicle")).stream()
                        .filter(flag -> flag.startsWith("--")))
                .isNotEmpty()
                .isSubsetOf(openings);
    }

    private static Stream<Matrix.Workload> workloads() {
        return matrix.workloads().stream().filter(workload -> workload.part().equals("queue"));
    }

    private static List<String> documentRows() throws IOException {
        List<String> rows = new ArrayList<>();
        for (JsonNode table :
                new ObjectMapper().readTree(text("seed/" + SEED + ".json")).get("tables")) {
            for (JsonNode row : table.get("rows")) {
                rows.add(SEED + "#" + table.get("id").asText() + "/"
                        + row.get("id").asText());
            }
        }
        return rows;
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = QueueMatrixTest.class.getClassLoader().getResourceAsStream(FOLDER + resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
