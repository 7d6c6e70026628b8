package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The runs that this repository has recorded. */
final class RecordedRuns {
    private static final Path ROOT = Path.of("..");

    private RecordedRuns() {}

    /** Returns the forks of all recorded runs as if one run had measured them. */
    static ReportInput together() throws Exception {
        List<ForkResult> forks = new ArrayList<>();
        try (Stream<Path> files =
                Files.find(ROOT.resolve("results"), 3, (path, attributes) -> path.endsWith("forks.jsonl"))) {
            for (Path file : files.sorted().toList()) {
                forks.addAll(RunFolder.open(file.resolveSibling("")).readForks());
            }
        }
        Matrix known = MatrixReader.parse(
                MatrixReader.RESOURCE,
                Files.readString(ROOT.resolve("benchmarks/src/main/resources").resolve(MatrixReader.RESOURCE)));
        return new ReportInput(
                Fixtures.runInfo(1, false),
                Fixtures.environment(false),
                known,
                forks,
                SeedFigures.of(known, Fixtures::seedFile));
    }
}
