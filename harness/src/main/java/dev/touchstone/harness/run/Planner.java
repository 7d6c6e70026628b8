package dev.touchstone.harness.run;

import dev.touchstone.harness.store.Build;
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

    /** Plans them for one build. @throws MatrixException if the matrix names a benchmark that is not there */
    public Plan plan(List<List<Cell>> comparisons, Settings settings) throws MatrixException {
        return plan(comparisons, settings, List.of(Build.OWN));
    }

    /**
     * Plans them. Of several builds each cell is a comparison of its own, in which every build has a fork.
     *
     * @throws MatrixException if the matrix names a benchmark that is not there
     */
    public Plan plan(List<List<Cell>> comparisons, Settings settings, List<Build> builds) throws MatrixException {
        List<List<ForkSpec>> planned = new ArrayList<>();
        int order = 0;
        for (List<Cell> comparison : comparisons) {
            List<ForkSpec> forks = new ArrayList<>();
            for (Cell cell : comparison) {
                for (Build build : builds) {
                    forks.add(spec(cell, build, order++, settings));
                }
                if (builds.size() > 1) {
                    planned.add(List.copyOf(forks));
                    forks.clear();
                }
            }
            if (!forks.isEmpty()) {
                planned.add(List.copyOf(forks));
            }
        }
        return new Plan(List.copyOf(planned), settings);
    }

    private ForkSpec spec(Cell cell, Build build, int order, Settings settings) throws MatrixException {
        Timing timing = catalog.find(cell.benchmark())
                .orElseThrow(() -> new MatrixException(MatrixReader.RESOURCE + ": workload '" + cell.workload()
                        + "': no benchmark '" + cell.benchmark() + "' on the class path"));
        FixedRate.check(cell, timing);
        Sampling sampling = settings.samplingOf(timing);
        return new ForkSpec(cell, build, 0, 0, order, sampling, flags.of(cell), timing.expected(sampling));
    }
}
