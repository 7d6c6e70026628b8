package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.file.AtomicFiles;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.text.ChangeReport;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.plan.BuildJar;
import dev.touchstone.harness.run.plan.Builds;
import dev.touchstone.harness.run.plan.NightlySelection;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.Power;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nightly}: this build beside a baseline and beside itself, as much as fits the budget. */
@Command(
        name = "nightly",
        description = {
            "Measures this build against a baseline and against itself, within a budget.",
            "",
            "The workloads of the quick profile are measured every night, the others in turn. Without --budget a night "
                    + "takes 45m. scripts/nightly builds both sides and runs this command."
        },
        exitCodeList = {
            "0:Every cell is decided, and none is slower.",
            "1:Something is slower.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "3:No cell is slower, but some are not decided.",
            "4:A benchmark of this build, or the machine, failed."
        })
final class NightlyCommand implements Callable<Integer> {
    private static final Duration BUDGET = Duration.ofMinutes(45);
    private static final long MIN_CALLS = 1000; // ten beyond the 99th percentile

    private final Invocation invocation;

    @Option(
            names = "--baseline",
            paramLabel = "<capsule>",
            description = "Build to compare with. Default: none, and the night is only recorded.")
    private @Nullable Path baseline;

    @Option(
            names = "--publish",
            paramLabel = "<folder>",
            description = "Copy the reports to this folder, with " + Reports.VERDICTS
                    + ": cell, ratio and baseline of each slower cell.")
    private @Nullable Path publish;

    @Mixin
    private CompareOptions choice = new CompareOptions();

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    NightlyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Path jar = baseline;
        if (jar != null && !Files.isRegularFile(jar)) {
            throw new UsageException("--baseline: no such file: " + jar + "; build it first, or check the path");
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
        return reports == null ? HarnessExitCode.FAILED : tell(reports);
    }

    private List<List<Cell>> tonight(Measurement measurement, Settings settings, int builds) throws IOException {
        List<Cell> all = single(measurement.ownCells(choice.selection(options), Extent.ALL)).stream()
                .filter(cell -> hasCallsEnough(cell, settings))
                .toList();
        List<Cell> always = choice.extent(options, Extent.QUICK) == Extent.QUICK
                ? single(measurement.ownCells(choice.selection(options), Extent.QUICK))
                : List.of();
        Duration budget = settings.budget();
        Map<String, NightlyRuns.Last> nights = NightlyRuns.last(options.results, settings, start());
        return NightlySelection.choose(
                        always,
                        all,
                        cell -> cost(cell, nights.get(cell.id()), measurement, settings, Math.max(1, always.size()))
                                .multipliedBy(builds),
                        budget == null ? BUDGET : budget,
                        cell -> Optional.ofNullable(nights.get(cell.id()))
                                .map(NightlyRuns.Last::start)
                                .orElse(Instant.MIN))
                .stream()
                .map(List::of)
                .toList();
    }

    /** Returns the time of one build's forks until a cell without a change is decided: by its own spread, if earlier nights have shown it. */
    private static Duration cost(
            Cell cell, NightlyRuns.@Nullable Last last, Measurement measurement, Settings settings, int cells) {
        Looks looks = Looks.of(cells, settings.maxRounds());
        if (last == null) {
            return measurement.expected(cell, settings).multipliedBy(looks.first());
        }
        int pairs = Power.pairs(last.spread(), settings.marginPercent(), 0, looks.error());
        return last.fork().multipliedBy(Math.min(settings.maxRounds(), Math.max(looks.first(), pairs)));
    }

    /**
     * Returns whether a fork at a fixed rate makes enough calls for the percentile that is its score: of few calls the percentile is only the slowest
     * one. True without a rate.
     */
    private static boolean hasCallsEnough(Cell cell, Settings settings) {
        Phase measured = settings.timed().measurement();
        return cell.ratePerSecond() == 0
                || measured == null
                || cell.ratePerSecond() * measured.total().toMillis() >= MIN_CALLS * 1000;
    }

    /** Returns when the night started; for a resumed night, when it first started, so that it chooses the same cells. */
    private Instant start() throws IOException {
        RunFolder resumed = new RunFolders(options, unreadable -> {}).resumed().orElse(null);
        return resumed == null
                ? Instant.now()
                : Instant.parse(resumed.readInfo().startedAt());
    }

    private static List<Cell> single(List<List<Cell>> comparisons) {
        return comparisons.stream().flatMap(List::stream).toList();
    }

    private int tell(Reports reports) throws IOException {
        Changes changes = reports.input().changes().orElseGet(() -> Changes.ofAgain(reports.input()));
        boolean compared = reports.input().run().baseline() != null;
        publish(reports);
        Console console = invocation.console();
        console.out().print(options.json ? ChangeReport.json(changes) : ChangeReport.text(changes));
        console.out().flush();
        console.err().println("Report: " + reports.folder().path().resolve(Reports.HTML));
        if (compared) {
            return CompareCommand.exitCode(changes, changes.ownFailed());
        }
        return changes.failed() ? HarnessExitCode.FAILED : ExitCode.OK;
    }

    private void publish(Reports reports) throws IOException {
        Path folder = publish;
        if (folder != null) {
            Files.createDirectories(folder);
            AtomicFiles.write(folder.resolve(Reports.HTML), reports.html());
            AtomicFiles.write(folder.resolve(Reports.MARKDOWN), reports.markdown());
            AtomicFiles.write(folder.resolve(Reports.VERDICTS), reports.verdicts());
        }
    }
}
