package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.List;

/** Makes a {@link Plan} of comparisons: gives every cell its sampling, flags and expected time. */
public final class Planner {
    private final BenchmarkCatalog catalog;
    private final ForkFlags flags;

    /** With these benchmarks and flags. */
    public Planner(BenchmarkCatalog catalog, ForkFlags flags) {
        this.catalog = catalog;
        this.flags = flags;
    }

    /** Plans them. @throws MatrixException if the matrix names a benchmark that is not there */
    public Plan plan(List<List<Cell>> comparisons, Settings settings) throws MatrixException {
        List<List<ForkSpec>> planned = new ArrayList<>();
        int order = 0;
        for (List<Cell> comparison : comparisons) {
            List<ForkSpec> forks = new ArrayList<>();
            for (Cell cell : comparison) {
                forks.add(spec(cell, order++, settings));
            }
            planned.add(List.copyOf(forks));
        }
        return new Plan(List.copyOf(planned), settings);
    }

    private ForkSpec spec(Cell cell, int order, Settings settings) throws MatrixException {
        Timing timing = catalog.find(cell.benchmark())
                .orElseThrow(() -> new MatrixException(MatrixReader.RESOURCE + ": workload '" + cell.workload()
                        + "': no benchmark '" + cell.benchmark() + "' on the class path"));
        Sampling sampling = settings.samplingOf(timing);
        return new ForkSpec(cell, 0, order, sampling, flags.of(cell.subject()), timing.expected(sampling));
    }
}
