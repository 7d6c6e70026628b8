package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.paced.EmptyJar;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.check.CheckResult;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every benchmark for a moment: one that fails is told, and one that is as fast as the same method without its work. The compiler has then found
 * that nobody needs what it computes, and has left it out.
 */
public final class ShortRuns {
    /** Build of which a fork without work is. */
    public static final Build EMPTY = Build.BASELINE;

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** Time of an operation from which on no baseline is needed: far more than a call that does nothing takes on any machine. */
    private static final double SURELY_WORK_NANOS = 100;

    /** Times of an operation beside its baseline's below which there is no work: what is left out takes as long as nothing. */
    private static final double MIN_RATIO = 1.5;

    /** Further forks of either side, by turns. The fastest iteration of each side counts: other processes only make one slower. */
    private static final int PAIRS = 3;

    /** Iterations of these forks: so many and so short that some run undisturbed on a busy machine, once the method is compiled. */
    private static final Sampling JUDGED =
            new Sampling(new Phase(1, Duration.ofMillis(500)), new Phase(40, Duration.ofMillis(5)));

    private final ForkRunner runner;
    private final Path jar;

    /**
     * Prepares the runs.
     *
     * @param jar file that stands first on the class path of {@link #EMPTY}
     */
    public ShortRuns(ForkRunner runner, Path jar) {
        this.runner = runner;
        this.jar = jar;
    }

    /**
     * Runs each fork for a moment, and each that seems to do no work beside its baseline.
     *
     * @param results gets one result a fork, as soon as there is one
     * @throws IOException if an empty baseline cannot be made
     */
    public void run(List<ForkSpec> forks, Consumer<CheckResult> results) throws IOException {
        for (ForkSpec fork : forks) {
            ForkResult result = runner.run(fork, DEADLINE);
            Cell cell = fork.cell();
            String complaint = complaint(fork, result);
            results.accept(new CheckResult(cell.workload(), cell.subject(), complaint, null, result.wallMillis()));
        }
    }

    private @Nullable String complaint(ForkSpec fork, ForkResult result) throws IOException {
        if (result.primary() == null) {
            return String.valueOf(result.error());
        }
        double with = fastest(result);
        if (fork.cell().ratePerSecond() > 0 || with > SURELY_WORK_NANOS) {
            return null;
        }
        ForkSpec judged = judged(fork, fork.build());
        Optional<ForkSpec> empty = withoutWork(judged);
        if (empty.isEmpty()) {
            return null;
        }
        double without = Double.POSITIVE_INFINITY;
        with = Double.POSITIVE_INFINITY;
        for (int i = 0; i < PAIRS; i++) {
            ForkResult baseline = runner.run(empty.get(), DEADLINE);
            if (baseline.primary() == null) {
                return "the same method without its work fails: " + baseline.error();
            }
            without = Math.min(without, fastest(baseline));
            with = Math.min(with, fastest(runner.run(judged, DEADLINE)));
        }
        return with >= without * MIN_RATIO
                ? null
                : String.format(
                        Locale.ROOT,
                        "as fast as the same method without its work: %.3g ns an operation, %.3g ns without: nothing "
                                + "uses what it computes",
                        with,
                        without);
    }

    /** Returns the fork of the same cell without its work; empty if no method has the benchmark's name, as that of a group. */
    private Optional<ForkSpec> withoutWork(ForkSpec fork) throws IOException {
        String benchmark = fork.cell().benchmark();
        int dot = benchmark.lastIndexOf('.');
        String method = benchmark.substring(dot + 1);
        Optional<Class<?>> declaring = declaring(benchmark.substring(0, dot), method);
        if (declaring.isEmpty()) {
            return Optional.empty();
        }
        EmptyJar.write(jar, declaring.get(), method);
        return Optional.of(judged(fork, EMPTY));
    }

    /** Returns a fork that waits for its compiler, which else may not be done with the method when a busy machine measures it. */
    private static ForkSpec judged(ForkSpec fork, Build build) {
        List<String> flags = new ArrayList<>(fork.jvmFlags());
        flags.add("-Xbatch");
        return new ForkSpec(
                fork.cell(), build, fork.round(), fork.rerun(), fork.order(), JUDGED, flags, fork.expected());
    }

    /** Returns the class that declares a benchmark method, which may be a superclass of the one that JMH names. */
    private static Optional<Class<?>> declaring(String type, String method) {
        try {
            for (Class<?> each = Class.forName(type, false, ShortRuns.class.getClassLoader());
                    each != null;
                    each = each.getSuperclass()) {
                if (Arrays.stream(each.getDeclaredMethods())
                        .anyMatch(one -> one.getName().equals(method))) {
                    return Optional.of(each);
                }
            }
        } catch (ClassNotFoundException e) {
            // of a build that is not this one's
        }
        return Optional.empty();
    }

    /** Returns a thread's nanoseconds for an operation in the fastest iteration; infinity for other units and failed forks. */
    private static double fastest(ForkResult result) {
        Metric score = result.primary();
        return score == null
                ? Double.POSITIVE_INFINITY
                : score.iterations().stream()
                        .map(each -> Units.nanosPerOperation(each, score.unit(), result.threads()))
                        .flatMapToDouble(OptionalDouble::stream)
                        .min()
                        .orElse(Double.POSITIVE_INFINITY);
    }
}
