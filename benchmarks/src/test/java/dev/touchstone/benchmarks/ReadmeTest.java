package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.report.ReadmeTable;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.store.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The README's figures are those of recorded runs. */
@Timeout(60)
final class ReadmeTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void results_everyMarkedTable_isMadeFromARecordedRun() throws Exception {
        List<String> unlike = ReadmeTable.unlike(Files.readString(ROOT.resolve("README.md")), recorded());
        assertThat(unlike)
                .as("parts whose tables no run below results/ makes: write them by report <run> --readme README.md")
                .isEmpty();
    }

    private static List<ReportInput> recorded() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(ReadmeTest.class.getClassLoader());
        List<Path> hosts;
        try (Stream<Path> files = Files.list(ROOT.resolve("results"))) {
            hosts = files.filter(Files::isDirectory).toList();
        }
        List<ReportInput> inputs = new ArrayList<>();
        for (Path host : hosts) {
            for (RunFolder run : RunFolder.all(host)) {
                inputs.add(new ReportInput(
                        run.readInfo(),
                        Environment.read(run.path().resolve("env.json")),
                        matrix,
                        run.readForks(),
                        SeedFigures.none()));
            }
        }
        return inputs;
    }
}
