package dev.touchstone.harness.run.check;

import dev.touchstone.harness.file.Folders;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs semantic checks under the flags that the benchmarks' forks get: one JVM for every set of flags, below {@code strace} where the checks read
 * the trace of forces. Results come back through a file, one line a check, so that what a peer prints cannot be taken for a result. When a JVM
 * ends before all its checks have, or is killed, the check that it was at has failed, and a new JVM runs the rest.
 */
public final class CheckJvms {
    /** Exit code of a JVM whose last result is of a check that was not done in time. */
    public static final int UNFINISHED = 9;

    private static final Set<String> NULLABLE = Set.of("CheckResult.error", "CheckResult.unobserved");
    private static final Duration GRACE = Duration.ofSeconds(30); // beyond a check's deadline, for the JVM itself
    private static final long LOOK_MILLIS = 200;

    private final ForkFlags flags;
    private final Path dataFolder;
    private final List<String> main;
    private final Duration deadline;

    /**
     * Creates a runner.
     *
     * @param flags of the JVMs
     * @param dataFolder existing folder below which checks write
     * @param main main class and arguments of a JVM that runs the checks which {@code --checks <file>} names one a line as {@link CellCheck#cell}
     *     does, in this order, and puts their results to {@code --output <file>}; it is given {@code --data <folder>} and
     *     {@code --deadline <time>}, too
     * @param deadline time for each check
     */
    public CheckJvms(ForkFlags flags, Path dataFolder, List<String> main, Duration deadline) {
        this.flags = flags;
        this.dataFolder = dataFolder;
        this.main = List.copyOf(main);
        this.deadline = deadline;
    }

    /** Flags of a JVM, and whether it is traced. */
    private record Kind(List<String> flags, boolean isTraced) {}

    /** End of a JVM: its exit code, and a phrase. */
    private record End(int exitCode, String how) {}

    /**
     * Runs checks.
     *
     * @param checks checks to run
     * @param results hears of each result
     * @throws IOException if a JVM cannot be started, or its files cannot be read
     */
    public void run(List<CellCheck> checks, Consumer<CheckResult> results) throws IOException {
        Map<Kind, List<CellCheck>> byKind = new LinkedHashMap<>();
        for (CellCheck check : checks) {
            Kind kind = new Kind(flags.of(check.subject()), check.check().needsForceTrace());
            byKind.computeIfAbsent(kind, made -> new ArrayList<>()).add(check);
        }
        for (Map.Entry<Kind, List<CellCheck>> entry : byKind.entrySet()) {
            List<CellCheck> left = entry.getValue();
            while (!left.isEmpty()) {
                Path work = Files.createTempDirectory(dataFolder, "verify-");
                try {
                    left = runJvm(entry.getKey(), left, work, results);
                } finally {
                    Folders.delete(work);
                }
            }
        }
    }

    /** Runs checks until one takes the JVM with it; returns those that come after that one. */
    private List<CellCheck> runJvm(Kind kind, List<CellCheck> checks, Path work, Consumer<CheckResult> results)
            throws IOException {
        Path output = work.resolve("results.jsonl");
        Path log = work.resolve("output.log");
        Path names = work.resolve("checks.txt");
        Files.write(names, checks.stream().map(CellCheck::cell).toList());
        Process process = new ProcessBuilder(command(kind, names, work, output))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Progress progress = new Progress(output, results);
        End end = await(process, progress);
        if (progress.done == checks.size() || end.exitCode == UNFINISHED) {
            return checks.subList(progress.done, checks.size());
        }
        CellCheck failed = checks.get(progress.done);
        String error = "its JVM " + end.how + " before the check gave a result: " + lastLine(log);
        results.accept(new CheckResult(failed.workload(), failed.subject(), error, null, 0));
        return checks.subList(progress.done + 1, checks.size());
    }

    private List<String> command(Kind kind, Path names, Path work, Path output) {
        List<String> command = new ArrayList<>();
        Path trace = work.resolve("forces.txt");
        List<String> tracer = kind.isTraced() ? ForceTrace.command(trace) : List.of();
        command.addAll(tracer);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(kind.flags());
        command.add(ForkFlags.data(work));
        if (!tracer.isEmpty()) {
            command.add(ForceTrace.flag(trace));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(main);
        command.addAll(List.of("--checks", names.toString(), "--output", output.toString()));
        command.addAll(List.of("--data", work.toString(), "--deadline", Durations.text(deadline)));
        return command;
    }

    /** Waits for the end of a JVM, or kills it and all below it when no result has come for too long. */
    private End await(Process process, Progress progress) throws IOException {
        long allowed = deadline.plus(GRACE).toNanos();
        long last = System.nanoTime();
        try {
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (progress.look()) {
                    last = System.nanoTime();
                } else if (System.nanoTime() - last > allowed) {
                    return new End(-1, "was killed after " + Durations.about(deadline.plus(GRACE)));
                }
            }
            return new End(process.exitValue(), "ended with exit code " + process.exitValue());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while checks ran", e);
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
            progress.look();
        }
    }

    private static String lastLine(Path log) throws IOException {
        String text = Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        return text.lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("no output");
    }

    /** The results that a JVM has given so far, each passed on once. */
    private static final class Progress {
        private final Path output;
        private final Consumer<CheckResult> results;
        private int done;

        Progress(Path output, Consumer<CheckResult> results) {
            this.output = output;
            this.results = results;
        }

        /** Passes new results on; returns whether there were any. */
        boolean look() throws IOException {
            int before = done;
            List<String> lines = Files.exists(output) ? Files.readAllLines(output) : List.of();
            for (String line : lines.subList(done, lines.size())) {
                try {
                    results.accept(StrictJson.read(line, CheckResult.class, NULLABLE));
                    done++;
                } catch (JsonProblem e) {
                    break; // a line that is being written, or that a dying JVM tore
                }
            }
            return done > before;
        }
    }
}
