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
import java.lang.reflect.Method;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;

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

    /** Nanoseconds of a call beside its baseline's up to which there is no work: fields that the method still reads, and branches on them. */
    private static final double LEFT_OVER_NANOS = 1;

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
        Optional<Method> method = method(fork.cell().benchmark());
        if (method.isEmpty()) {
            return null;
        }
        EmptyJar.write(jar, method.get().getDeclaringClass(), method.get().getName());
        ForkSpec judged = judged(fork, fork.build());
        ForkSpec empty = judged(fork, EMPTY);
        double without = Double.POSITIVE_INFINITY;
        with = Double.POSITIVE_INFINITY;
        for (int i = 0; i < PAIRS; i++) {
            ForkResult baseline = runner.run(empty, DEADLINE);
            if (baseline.primary() == null) {
                return "the same method without its work fails: " + baseline.error();
            }
            without = Math.min(without, fastest(baseline));
            with = Math.min(with, fastest(runner.run(judged, DEADLINE)));
        }
        double leftOver = LEFT_OVER_NANOS / operations(method.get());
        return with >= Math.max(without * MIN_RATIO, without + leftOver)
                ? null
                : String.format(
                        Locale.ROOT,
                        "as fast as the same method without its work: %.3g ns an operation, %.3g ns without: nothing "
                                + "uses what it computes",
                        with,
                        without);
    }

    /** Returns a fork that waits for its compiler, which else may not be done with the method when a busy machine measures it. */
    private static ForkSpec judged(ForkSpec fork, Build build) {
        List<String> flags = new ArrayList<>(fork.jvmFlags());
        flags.add("-Xbatch");
        return new ForkSpec(
                fork.cell(), build, fork.round(), fork.rerun(), fork.order(), JUDGED, flags, fork.expected());
    }

    /** Returns the method of a benchmark, which a superclass may declare; empty if none has its name, as that of a JMH group. */
    private static Optional<Method> method(String benchmark) {
        int dot = benchmark.lastIndexOf('.');
        String name = benchmark.substring(dot + 1);
        try {
            for (Class<?> each = Class.forName(benchmark.substring(0, dot), false, ShortRuns.class.getClassLoader());
                    each != null;
                    each = each.getSuperclass()) {
                Optional<Method> found = Arrays.stream(each.getDeclaredMethods())
                        .filter(one -> one.getName().equals(name))
                        .findAny();
                if (found.isPresent()) {
                    return found;
                }
            }
        } catch (ClassNotFoundException e) {
            // of a build that is not this one's
        }
        return Optional.empty();
    }

    private static int operations(Method method) {
        OperationsPerInvocation own = method.getAnnotation(OperationsPerInvocation.class);
        OperationsPerInvocation all = method.getDeclaringClass().getAnnotation(OperationsPerInvocation.class);
        return own != null ? own.value() : all != null ? all.value() : 1;
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
