package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.ChangeReport;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.run.BuildJar;
import dev.touchstone.harness.run.Builds;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.AtomicFiles;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nightly}: this build beside a baseline and beside itself, as much as fits the budget. */
@Command(
        name = "nightly",
        sortOptions = false,
        description = {
            "This build beside the baseline and beside itself, fork by fork, within the budget (45m where none is",
            "given): the quick profile's workloads every night, the others in turn. scripts/nightly builds both."
        },
        footer = {
            "",
            "Exit codes: 0 nothing is slower, 1 something is, 2 usage, 3 nothing could be shown, 4 a benchmark failed."
        })
final class NightlyCommand implements Callable<Integer> {
    static final String REGRESSIONS = "regressions.tsv";
    private static final Duration BUDGET = Duration.ofMinutes(45);

    private final Invocation invocation;

    @Option(
            names = "--baseline",
            paramLabel = "<capsule>",
            description = "The build to compare with. Default: none, the night is only recorded.")
    private @Nullable Path baseline;

    @Option(
            names = "--publish",
            paramLabel = "<folder>",
            description =
                    "Where copies of the reports go, and " + REGRESSIONS + ": cell, ratio, baseline of what is slower.")
    private @Nullable Path publish;

    @Mixin
    private CompareOptions choice = new CompareOptions();

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    @Mixin
    HelpOption help = new HelpOption();

    NightlyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Path jar = baseline;
        if (jar != null && !Files.isRegularFile(jar)) {
            throw new UsageException("--baseline: no such file: " + jar);
        }
        List<Build> order =
                jar == null ? List.of(Build.OWN, Build.AGAIN) : List.of(Build.OWN, Build.BASELINE, Build.AGAIN);
        Settings settings = choice.within(BUDGET, invocation.jmhOptions());
        Measurement measurement = new Measurement(invocation, options);
        Reports reports = measurement
                .measure(Profile.NIGHTLY, tonight(measurement, settings, order.size()), settings, folder -> {
                    BuildJar unpacked = jar == null ? null : BuildJar.unpack(jar, folder.resolve("baseline"));
                    return Builds.of(order, BuildInfo.load(invocation.loader()), null, unpacked);
                })
                .reports();
        return reports == null ? ExitCode.FAILED : tell(reports);
    }

    private List<List<Cell>> tonight(Measurement measurement, Settings settings, int builds) {
        List<Cell> all = single(measurement.ownCells(choice.selection(options), false));
        List<Cell> always =
                choice.quick(options) ? single(measurement.ownCells(choice.selection(options), true)) : List.of();
        int forks = settings.minRounds() * builds;
        Duration room = settings.screenBudget();
        long day = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        return Tonight.choose(
                        always,
                        all,
                        cell -> measurement.expected(cell, settings).multipliedBy(forks),
                        room == null ? BUDGET : room,
                        day)
                .stream()
                .map(List::of)
                .toList();
    }

    private static List<Cell> single(List<List<Cell>> comparisons) {
        return comparisons.stream().flatMap(List::stream).toList();
    }

    private int tell(Reports reports) throws IOException {
        Changes changes = reports.input().changes().orElseGet(() -> Changes.ofAgain(reports.input()));
        boolean compared = reports.input().run().baseline() != null;
        publish(reports, compared ? regressions(changes) : "");
        Console console = invocation.console();
        console.out().print(options.json ? ChangeReport.json(changes) : ChangeReport.text(changes));
        console.out().flush();
        console.err().println("Report: " + reports.folder().path().resolve(Reports.HTML));
        if (compared) {
            return CompareCommand.exitCode(changes);
        }
        return changes.failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private void publish(Reports reports, String regressions) throws IOException {
        reports.folder().write(REGRESSIONS, regressions);
        Path folder = publish;
        if (folder != null) {
            Files.createDirectories(folder);
            AtomicFiles.write(folder.resolve(Reports.HTML), reports.html());
            AtomicFiles.write(folder.resolve(Reports.MARKDOWN), reports.markdown());
            AtomicFiles.write(folder.resolve(REGRESSIONS), regressions);
        }
    }

    private static String regressions(Changes changes) {
        return changes.of(Verdict.SLOWER).stream()
                .map(change -> change.cell() + "\t" + ChangeReport.ratio(change) + "\t" + change.against() + "\n")
                .collect(Collectors.joining());
    }
}
