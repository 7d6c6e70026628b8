package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.BenchmarkCatalog;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.run.fork.FixedRate;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.Build;
import java.util.ArrayList;
import java.util.List;

/** Makes a {@link Plan} of comparisons: gives every cell its sampling, flags and expected time. */
public final class Planner {
    private final BenchmarkCatalog catalog;
    private final ForkFlags flags;

    /**
     * Creates a planner.
     *
     * @param catalog the benchmarks that can be run
     * @param flags the JVM flags of each fork
     */
    public Planner(BenchmarkCatalog catalog, ForkFlags flags) {
        this.catalog = catalog;
        this.flags = flags;
    }

    /**
     * Plans the forks of this process's own build.
     *
     * @param comparisons the cells of each comparison
     * @param settings the run's sampling and rounds
     * @return a plan with a fork for each cell
     * @throws MatrixException if the matrix names a benchmark that does not exist
     */
    public Plan plan(List<List<Cell>> comparisons, Settings settings) throws MatrixException {
        return plan(comparisons, settings, List.of(Build.OWN));
    }

    /**
     * Plans the forks of one or more builds. Of several builds each cell is a comparison of its own, in which every build has a fork.
     *
     * @param comparisons the cells of each comparison
     * @param settings the run's sampling and rounds
     * @param builds at least one, in the order of their forks in round 0
     * @return a plan with a fork for each cell and build
     * @throws MatrixException if the matrix names a benchmark that does not exist
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
