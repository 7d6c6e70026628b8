package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.CheckJvms;
import dev.touchstone.harness.run.CheckResult;
import dev.touchstone.harness.run.CheckRunner;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.ForkSpec;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.JmhForkRunner;
import dev.touchstone.harness.run.JmhLock;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Planner;
import dev.touchstone.harness.run.Profilers;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.store.Noise;
import dev.touchstone.harness.store.StrictJson;
import java.io.BufferedWriter;
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
                    "Also run each benchmark for a moment: it must not fail, nor take less time than any work needs.")
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

    @Option(names = "--in-process", hidden = true)
    private boolean inProcess;

    @Option(names = "--workloads", split = ",", hidden = true)
    private Set<String> workloads = new LinkedHashSet<>();

    @Option(names = "--output", hidden = true)
    private @Nullable Path output;

    VerifyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(invocation.loader());
        List<SemanticCheck> checks = chosen(matrix);
        if (checks.isEmpty() && !run) {
            throw new UsageException("no checks to run on this class path");
        }
        try (DataFolder folder = DataFolder.open(data, invocation.shutdown())) {
            Path file = output;
            if (inProcess && file != null) {
                return runHere(checks, folder.path(), file);
            }
            return runInJvms(matrix, checks, folder.path());
        }
    }

    private List<SemanticCheck> chosen(Matrix matrix) {
        List<SemanticCheck> all = CheckRunner.load(invocation.loader(), matrix);
        Choices.parts(parts, matrix);
        Choices.subjects(
                subjects, matrix, all.stream().map(SemanticCheck::subject).toList());
        Set<String> ofParts = matrix.workloads().stream()
                .filter(workload -> parts.isEmpty() || parts.contains(workload.part()))
                .map(Matrix.Workload::id)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(check -> parts.isEmpty() || ofParts.contains(check.workload()))
                .filter(check -> workloads.isEmpty() || workloads.contains(check.workload()))
                .filter(check -> subjects.isEmpty() || subjects.contains(check.subject()))
                .toList();
    }

    private static int runHere(List<SemanticCheck> checks, Path folder, Path file) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            CheckRunner.run(checks, folder, result -> {
                try {
                    writer.write(StrictJson.line(result));
                    writer.newLine();
                    writer.flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return ExitCode.OK;
    }

    private int runInJvms(Matrix matrix, List<SemanticCheck> checks, Path folder) throws IOException, MatrixException {
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
        new CheckJvms(flags, folder, Main.class.getName()).run(checks, listener);
        if (!forks.isEmpty()) {
            runShortly(forks, folder, listener);
        }
        console.out().print(json ? StrictJson.pretty(results) : table(results));
        console.out().flush();
        return results.stream().allMatch(CheckResult::ok) ? ExitCode.OK : HarnessExitCode.FAILED;
    }

    /** One of each workload and subject: more threads do no other work. */
    private List<ForkSpec> forks(Matrix matrix, ForkFlags flags) throws MatrixException {
        Selection selection = new Selection(parts, List.of(), subjects, List.of(), new TreeMap<>(), List.of());
        Map<String, Cell> cells = new LinkedHashMap<>();
        Comparisons.of(matrix, selection, false).stream()
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
        try (JmhLock lock = JmhLock.acquire(lockWait, invocation.console().err()::println);
                JmhForkRunner runner = new JmhForkRunner(
                        List.of(),
                        folder,
                        () -> Noise::unknown,
                        () -> null,
                        Map.of(),
                        Profilers.NONE,
                        (round, order) -> log)) {
            new ShortRuns(runner).run(forks, listener);
        }
    }

    private static String table(List<CheckResult> results) {
        Columns columns = new Columns("workload", "subject", "result", "what is wrong");
        for (CheckResult result : results) {
            String error = result.error();
            columns.row(result.workload(), result.subject(), result.ok() ? "ok" : "FAILED", error == null ? "" : error);
        }
        return columns.render();
    }
}
