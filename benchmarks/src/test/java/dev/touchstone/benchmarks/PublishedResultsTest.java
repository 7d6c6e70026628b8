package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.publish.Publication;
import dev.touchstone.harness.run.MatrixReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that the pages and plots in docs are those that the recorded runs make. */
@Timeout(60)
final class PublishedResultsTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_PLOT_BYTES = 30_000;

    @Test
    void docs_everyPageAndPlot_isMadeFromTheRecordedRuns() throws Exception {
        Map<String, String> made =
                Publication.files(ROOT, MatrixReader.fromClassPath(getClass().getClassLoader()));
        List<String> unlike = new ArrayList<>();
        for (Map.Entry<String, String> file : made.entrySet()) {
            Path path = ROOT.resolve(file.getKey());
            if (!Files.exists(path) || !Files.readString(path).equals(file.getValue())) {
                unlike.add(file.getKey());
            }
        }
        for (String folder : List.of(Publication.PAGES, Publication.PLOTS)) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                files.map(file -> folder + file.getFileName())
                        .filter(file -> !made.containsKey(file))
                        .forEach(unlike::add);
            }
        }
        assertThat(unlike)
                .as("files that results/ does not make; write them with the capsule's report --publish <checkout>")
                .isEmpty();
        assertThat(made.entrySet())
                .filteredOn(file -> file.getKey().endsWith(".svg"))
                .allSatisfy(file -> assertThat(file.getValue().getBytes(StandardCharsets.UTF_8))
                        .as(file.getKey())
                        .hasSizeLessThan(MAX_PLOT_BYTES));
    }
}
