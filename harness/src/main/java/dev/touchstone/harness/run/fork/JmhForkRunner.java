package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.file.Folders;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFailure;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Forks by JMH's own runner, one at a time. Not thread-safe: the deadline's way to end a fork is to kill every process below this one.
 */
public final class JmhForkRunner implements ForkRunner, AutoCloseable {
    private static final String CLASS_PATH = "java.class.path";
    private static final long MAX_LOG_BYTES = 16L << 20;

    private final Options userOptions;
    private final Path dataFolder;
    private final HiddenPaths hidden;
    private final NoiseProbe noise;
    private final Supplier<@Nullable ReferenceLoad> ruler;
    private final Map<Build, String> classPaths;
    private final Profilers profilers;
    private final BiFunction<Integer, Integer, Path> outputs;
    private final ScheduledThreadPoolExecutor deadlines = new ScheduledThreadPoolExecutor(1, JmhForkRunner::daemon);

    /**
     * Creates a runner.
     *
     * @param jmhOptions in the form of JMH's command line; the plan's choices win
     * @param dataFolder where each fork gets a folder of its own for its files, deleted when the fork has ended, however it did
     * @param noise tells what other processes do while a fork runs
     * @param ruler measures the machine before a fork
     * @param classPaths of the builds; one that has none here is on this process's own
     * @param profilers watch every fork
     * @param outputs where the output of a fork goes, by round and order
     * @throws IllegalArgumentException if JMH does not know one of the options
     */
    public JmhForkRunner(
            List<String> jmhOptions,
            Path dataFolder,
            NoiseProbe noise,
            Supplier<@Nullable ReferenceLoad> ruler,
            Map<Build, String> classPaths,
            Profilers profilers,
            BiFunction<Integer, Integer, Path> outputs) {
        this.userOptions = parse(jmhOptions);
        this.dataFolder = dataFolder;
        this.hidden = HiddenPaths.of(dataFolder);
        this.noise = noise;
        this.ruler = ruler;
        this.classPaths = Map.copyOf(classPaths);
        this.profilers = profilers;
        this.outputs = outputs;
    }

    private static Options parse(List<String> jmhOptions) {
        try {
            return new CommandLineOptions(jmhOptions.toArray(new String[0]));
        } catch (CommandLineOptionException e) {
            throw new IllegalArgumentException("JMH: " + e.getMessage(), e);
        }
    }

    @Override
    public ForkResult run(ForkSpec fork, Duration deadline) {
        Path output = outputs.apply(fork.round(), fork.order());
        ReferenceLoad before = ruler.get();
        Instant start = Instant.now();
        long startNanos = System.nanoTime();
        Supplier<Noise> noiseMeanwhile = noise.start();
        Attempt attempt = attempt(fork, output, deadline);
        Noise measured = noiseMeanwhile.get();
        long wallMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        Cell cell = fork.cell();
        return new ForkResult(
                cell.id(),
                cell.workload(),
                cell.subject(),
                cell.threads(),
                cell.params(),
                fork.round(),
                fork.order(),
                start.toString(),
                wallMillis,
                attempt.error(),
                attempt.primary(),
                attempt.secondary(),
                fork.jvmFlags(),
                measured,
                fork.build(),
                fork.rerun(),
                null,
                before,
                attempt.latency());
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
    }

    private Attempt attempt(ForkSpec fork, Path output, Duration deadline) {
        try {
            Path own = Files.createTempDirectory(dataFolder, "fork-");
            try {
                return attempt(fork, own, output, deadline);
            } finally {
                Folders.delete(own);
            }
        } catch (IOException e) {
            return Attempt.failed(describe(e));
        }
    }

    private String describe(Exception failure) {
        return ForkFailure.describe(failure, hidden::in);
    }

    private Attempt attempt(ForkSpec fork, Path own, Path output, Duration deadline) {
        AtomicBoolean late = new AtomicBoolean();
        AtomicReference<@Nullable Thread> waiting = new AtomicReference<>(Thread.currentThread());
        ScheduledFuture<?> alarm =
                deadlines.schedule(() -> end(late, waiting), Math.max(1, deadline.toMillis()), TimeUnit.MILLISECONDS);
        try {
            String build = classPaths.getOrDefault(fork.build(), System.getProperty(CLASS_PATH));
            RunResult result = runJmh(FixedRate.classPath(fork.cell(), own, build), options(fork, own), output);
            Attempt done = Attempt.of(result, FixedRate.read(fork.cell(), own));
            Files.deleteIfExists(output);
            return done;
        } catch (RunnerException | IOException | RuntimeException e) {
            hidePaths(output);
            return Attempt.failed(late.get() ? "killed after " + Durations.about(deadline) : describe(e));
        } finally {
            alarm.cancel(false);
            synchronized (waiting) {
                waiting.set(null);
            }
            Thread.interrupted(); // by the alarm, when the fork had just ended
        }
    }

    /**
     * Kills a fork, and ends the wait for its output, which lasts longer than the fork if a process that it has left behind still holds the stream.
     *
     * @param late set to true
     * @param waiting the thread to interrupt; null once it does not wait any more
     */
    private static void end(AtomicBoolean late, AtomicReference<@Nullable Thread> waiting) {
        late.set(true);
        Shutdown.destroyDescendants();
        synchronized (waiting) {
            Thread thread = waiting.get();
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** The log of a failed fork stays with the record. */
    private void hidePaths(Path output) {
        try {
            if (Files.exists(output) && Files.size(output) <= MAX_LOG_BYTES) {
                String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
                Files.writeString(output, hidden.in(text));
            }
        } catch (IOException e) {
            // What the fork failed of matters more, and is told; the log is then as JMH left it.
        }
    }

    /**
     * JMH starts its forks with the class path that a system property names, and so with that of the build; what a fork prints comes out of this
     * process's own streams, and belongs with the fork's output.
     */
    private RunResult runJmh(String classPath, Options options, Path output) throws RunnerException, IOException {
        String own = System.getProperty(CLASS_PATH);
        PrintStream ownOut = System.out;
        PrintStream ownErr = System.err;
        System.setProperty(CLASS_PATH, classPath);
        try (PrintStream out = new PrintStream(Files.newOutputStream(output), false, StandardCharsets.UTF_8)) {
            System.setOut(out);
            System.setErr(out);
            OutputFormat format = OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL);
            Collection<RunResult> results = new Runner(options, format).run();
            if (results.isEmpty()) {
                throw new IllegalStateException("the fork's JVM ended without a result");
            }
            if (results.size() != 1) {
                throw new IllegalStateException(
                        "expected one result of " + options.getIncludes() + ", got " + results.size());
            }
            return results.iterator().next();
        } finally {
            System.setOut(ownOut);
            System.setErr(ownErr);
            System.setProperty(CLASS_PATH, own);
        }
    }

    private Options options(ForkSpec fork, Path own) throws IOException {
        Cell cell = fork.cell();
        ChainedOptionsBuilder options = new OptionsBuilder()
                .parent(userOptions)
                .include("^" + Pattern.quote(cell.benchmark()) + "$")
                .forks(1)
                .warmupForks(0)
                .shouldFailOnError(true)
                .param(Cell.SUBJECT, cell.subject())
                .jvmArgs(jvmArgs(fork, own));
        cell.benchmarkParams().forEach(options::param);
        if (cell.threads() > 0) {
            options.threads(cell.threads());
        }
        Phase warmup = fork.sampling().warmup();
        if (warmup != null) {
            options.warmupIterations(warmup.iterations()).warmupTime(time(warmup));
        }
        Phase measurement = fork.sampling().measurement();
        if (measurement != null) {
            options.measurementIterations(measurement.iterations()).measurementTime(time(measurement));
        }
        if (cell.ratePerSecond() > 0) {
            FixedRate.addTo(options, cell);
        } else if (userOptions.getBenchModes().isEmpty()) {
            options.mode(JmhCatalog.mode(cell.benchmark()));
        }
        profilers.addTo(options, fork);
        return options.build();
    }

    private static String[] jvmArgs(ForkSpec fork, Path own) {
        List<String> args = new ArrayList<>(fork.jvmFlags());
        args.add(ForkFlags.data(own));
        args.addAll(FixedRate.jvmArgs(fork.cell(), own));
        return args.toArray(new String[0]);
    }

    /** JMH refuses no time at all, and single-shot benchmarks ignore it. */
    private static TimeValue time(Phase phase) {
        return TimeValue.milliseconds(Math.max(1, phase.time().toMillis()));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "touchstone-fork-deadline");
        thread.setDaemon(true);
        return thread;
    }

    private record Attempt(
            @Nullable String error,
            @Nullable Metric primary,
            SortedMap<String, Metric> secondary,
            @Nullable Latency latency) {
        static Attempt of(RunResult result, @Nullable FixedRate rate) {
            SortedMap<String, Metric> secondary = JmhResults.secondary(result);
            if (rate == null) {
                return new Attempt(null, JmhResults.primary(result), secondary, null);
            }
            secondary.putAll(rate.secondary());
            return new Attempt(null, rate.primary(), secondary, rate.latency());
        }

        static Attempt failed(String error) {
            return new Attempt(error, null, new TreeMap<>(), null);
        }
    }
}
