package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.check.CellCheck;
import dev.touchstone.harness.run.check.CheckJvms;
import dev.touchstone.harness.run.check.CheckResult;
import dev.touchstone.harness.run.check.CheckRunner;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.run.fork.JmhForkRunner;
import dev.touchstone.harness.run.fork.JmhLock;
import dev.touchstone.harness.run.fork.Profilers;
import dev.touchstone.harness.run.fork.ShortRuns;
import dev.touchstone.harness.run.fork.Shutdown;
import dev.touchstone.harness.run.plan.Planner;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.store.Noise;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verify}: checks that every benchmark does the work that it times, each subject in a JVM with its own flags. */
@Command(
        name = "verify",
        description = {
            "Checks that the benchmarks do the work that they time.",
            "",
            "Runs the semantic checks of every benchmark and subject, each in a JVM with the subject's own flags. Nothing "
                    + "is measured."
        },
        exitCodeList = {
            "0:All checks passed.",
            "2:The command line, or a value that it names, cannot be used.",
            "4:A check or the machine failed."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final Sampling MOMENT =
            new Sampling(new Phase(1, Duration.ofMillis(100)), new Phase(2, Duration.ofMillis(100)));

    private final Invocation invocation;

    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description = "Existing folder below which checks write. Default: the current folder.")
    private @Nullable Path data;

    @Option(names = "--parts", paramLabel = "<part>", split = ",", description = "Only these parts. Default: all.")
    private Set<String> parts = new LinkedHashSet<>();

    @Option(
            names = "--subjects",
            paramLabel = "<name>",
            split = ",",
            description = "Only these subjects. Default: all.")
    private Set<String> subjects = new LinkedHashSet<>();

    @Option(
            names = "--run",
            description =
                    "Also run each benchmark for a moment: it must not fail, nor be as fast as the same method without its "
                            + "work.")
    private boolean run;

    @Option(
            names = "--lock-wait",
            paramLabel = "<time>",
            defaultValue = JmhLock.DEFAULT_WAIT,
            description =
                    "With --run: most time to wait for another JMH run on this machine. Default: ${DEFAULT-VALUE}.")
    private Duration lockWait = Durations.parse(JmhLock.DEFAULT_WAIT);

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the table.")
    private boolean json;

    @Option(
            names = "--deadline",
            paramLabel = "<time>",
            defaultValue = CheckRunner.DEFAULT_DEADLINE,
            description = "Time after which a check that is not done has failed, and the others go on. Default: "
                    + "${DEFAULT-VALUE}.")
    private Duration deadline = Durations.parse(CheckRunner.DEFAULT_DEADLINE);

    @Option(names = "--checks", hidden = true)
    private @Nullable Path cells;

    @Option(names = "--output", hidden = true)
    private @Nullable Path output;

    VerifyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(invocation.loader());
        List<CellCheck> all = CellCheck.all(invocation.loader(), matrix);
        Path names = cells;
        Path file = output;
        if (names != null && file != null && data != null) {
            Set<String> wanted = new LinkedHashSet<>(Files.readAllLines(names));
            return runHere(
                    all.stream().filter(check -> wanted.contains(check.cell())).toList(), data, file);
        }
        List<CellCheck> checks = chosen(matrix, all);
        try (DataFolder folder = DataFolder.open(data, invocation.shutdown())) {
            return runInJvms(matrix, checks, folder.path());
        }
    }

    private List<CellCheck> chosen(Matrix matrix, List<CellCheck> all) {
        ChosenNames.parts(parts, matrix);
        ChosenNames.subjects(subjects, matrix);
        Set<String> ofParts = matrix.workloads().stream()
                .filter(workload -> parts.isEmpty() || parts.contains(workload.part()))
                .map(Matrix.Workload::id)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(check -> ofParts.contains(check.workload()))
                .filter(check -> subjects.isEmpty() || subjects.contains(check.subject()))
                .toList();
    }

    /** Runs checks in this JVM; ends it at once where one of them does not end, for what that one holds may never be let go. */
    private int runHere(List<CellCheck> checks, Path folder, Path file) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            boolean ended = CheckRunner.run(checks, folder, deadline, result -> {
                try {
                    writer.write(StrictJson.line(result));
                    writer.newLine();
                    writer.flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            if (!ended) {
                Shutdown.destroyDescendants();
                Runtime.getRuntime().halt(CheckJvms.UNFINISHED);
            }
        }
        return ExitCode.OK;
    }

    private int runInJvms(Matrix matrix, List<CellCheck> checks, Path folder) throws IOException, MatrixException {
        Console console = invocation.console();
        ForkFlags flags = new ForkFlags(matrix, Runtime.version().feature());
        List<ForkSpec> forks = run ? forks(matrix, flags) : List.of();
        int all = checks.size() + forks.size();
        List<CheckResult> results = new ArrayList<>();
        Consumer<CheckResult> listener = result -> {
            results.add(result);
            console.err()
                    .println("[" + results.size() + "/" + all + "] " + result.workload() + " " + result.subject() + ": "
                            + (result.ok() ? "ok" : "FAILED"));
        };
        new CheckJvms(flags, folder, List.of(Main.class.getName(), "verify"), deadline).run(checks, listener);
        if (!forks.isEmpty()) {
            runShortly(forks, folder, listener);
        }
        console.out().print(json ? StrictJson.pretty(results) : table(results));
        console.out().flush();
        return results.stream().allMatch(CheckResult::ok) ? ExitCode.OK : HarnessExitCode.FAILED;
    }

    /** Returns a fork for each workload and subject: with more threads they would do the same work. */
    private List<ForkSpec> forks(Matrix matrix, ForkFlags flags) throws MatrixException {
        Selection selection = new Selection(parts, List.of(), subjects, List.of(), new TreeMap<>(), List.of());
        Map<String, Cell> cells = new LinkedHashMap<>();
        Comparisons.of(matrix, selection, Extent.ALL).stream()
                .flatMap(List::stream)
                .forEach(cell -> cells.putIfAbsent(cell.workload() + "/" + cell.subject(), cell));
        Settings settings = Settings.chosen(MOMENT, 1, null, List.of());
        List<List<Cell>> each = cells.values().stream().map(List::of).toList();
        return new Planner(JmhCatalog.load(), flags)
                .plan(each, settings).comparisons().stream()
                        .flatMap(List::stream)
                        .toList();
    }

    @SuppressWarnings("try") // the lock is held, not used
    private void runShortly(List<ForkSpec> forks, Path folder, Consumer<CheckResult> listener) throws IOException {
        Path log = folder.resolve("fork.log");
        Path jar = folder.resolve("touchstone-empty.jar").toAbsolutePath();
        String withoutWork = jar + File.pathSeparator + System.getProperty("java.class.path");
        try (JmhLock lock = JmhLock.acquire(lockWait, invocation.console().err()::println);
                JmhForkRunner runner = new JmhForkRunner(
                        List.of(),
                        folder,
                        () -> Noise::unknown,
                        () -> null,
                        Map.of(ShortRuns.EMPTY, withoutWork),
                        Profilers.NONE,
                        (round, order) -> log)) {
            new ShortRuns(runner, jar).run(forks, listener);
        }
    }

    private static String table(List<CheckResult> results) {
        Columns columns = new Columns("workload", "subject", "result", "what is wrong or not observed");
        for (CheckResult result : results) {
            String unobserved = result.unobserved() == null ? "" : "not observed: " + result.unobserved();
            columns.row(
                    result.workload(),
                    result.subject(),
                    result.ok() ? "ok" : "FAILED",
                    Objects.requireNonNullElse(result.error(), unobserved));
        }
        return columns.render();
    }
}
