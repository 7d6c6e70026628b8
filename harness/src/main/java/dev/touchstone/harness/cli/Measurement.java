package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.EnvironmentProbe;
import dev.touchstone.harness.env.NoiseMeter;
import dev.touchstone.harness.env.RulerProbe;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.fork.HiddenPaths;
import dev.touchstone.harness.run.fork.JmhForkRunner;
import dev.touchstone.harness.run.fork.JmhLock;
import dev.touchstone.harness.run.fork.Profilers;
import dev.touchstone.harness.run.plan.Builds;
import dev.touchstone.harness.run.plan.Outcome;
import dev.touchstone.harness.run.plan.Plan;
import dev.touchstone.harness.run.plan.Planner;
import dev.touchstone.harness.run.plan.Session;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.Power;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The steps that all measuring commands share, from the checks before a run to the report after it. */
final class Measurement {
    private final Invocation invocation;
    private final MeasureOptions options;
    private final Matrix matrix;
    private final JmhCatalog catalog;
    private final Console console;

    Measurement(Invocation invocation, MeasureOptions options) throws MatrixException {
        this.invocation = invocation;
        this.options = options;
        this.console = invocation.console();
        this.matrix = MatrixReader.fromClassPath(invocation.loader());
        this.catalog = JmhCatalog.load();
    }

    /** The cells that the selection chooses, comparison by comparison. */
    List<List<Cell>> comparisons(Selection selection, Extent extent) {
        ChosenNames.check(selection, matrix, catalog);
        return Comparisons.of(matrix, selection, extent);
    }

    /** The cells of ours among them, each by itself. */
    List<List<Cell>> ownCells(Selection selection, Extent extent) {
        Map<String, String> ours =
                matrix.workloads().stream().collect(Collectors.toMap(Matrix.Workload::id, Matrix.Workload::ours));
        return comparisons(selection, extent).stream()
                .flatMap(List::stream)
                .filter(cell -> cell.subject().equals(ours.get(cell.workload())))
                .map(List::of)
                .toList();
    }

    /** About how long a fork of the cell takes. */
    Duration expected(Cell cell, Settings settings) {
        return catalog.find(cell.benchmark())
                .map(timing -> timing.expected(settings.samplingOf(timing)))
                .orElse(Duration.ZERO);
    }

    /** Measures this build, reports, and tells the exit code. */
    int run(Profile profile, List<List<Cell>> comparisons, Settings settings) throws IOException, MatrixException {
        BuildInfo own = BuildInfo.load(invocation.loader());
        Measured measured = measure(profile, comparisons, settings, folder -> Builds.only(own));
        Reports reports = measured.reports();
        if (reports == null) {
            return HarnessExitCode.FAILED;
        }
        console.out().print(options.json ? reports.json() : reports.text());
        console.out().flush();
        console.err().println("Report: " + reports.folder().path().resolve(Reports.HTML));
        Outcome outcome = measured.outcome();
        if (outcome.end() == Outcome.End.BUDGET && outcome.rounds() == 0) {
            console.err().println("The budget ended before every cell was measured once.");
            return HarnessExitCode.NO_VERDICT;
        }
        return outcome.failedForks() > 0 ? HarnessExitCode.FAILED : ExitCode.OK;
    }

    /** Measures builds and writes the reports into the run's folder. */
    Measured measure(Profile profile, List<List<Cell>> comparisons, Settings settings, Builds.Source source)
            throws IOException, MatrixException {
        if (comparisons.isEmpty()) {
            throw new UsageException("no cell matches the options: 'touchstone list' shows what there is");
        }
        try (DataFolder data = DataFolder.open(options.data, invocation.shutdown())) {
            Builds builds = source.open(data.path());
            ForkFlags flags = new ForkFlags(matrix, Runtime.version().feature());
            Plan plan = new Planner(catalog, flags).plan(comparisons, settings, builds.order());
            Environment environment = EnvironmentProbe.capture(data.path());
            data.checkSpace(environment, profile);
            Calibration calibration = profile == Profile.CALIBRATE
                    ? Calibration.OPEN
                    : Calibration.read(options.results, HostId.ofThisMachine());
            Looks looks = settings.marginPercent() > 0
                    ? Looks.of(
                            Changes.planned(plan.cellIds(), matrix, Profilers.describe(options.profilers)),
                            settings.maxRounds())
                    : null;
            Map<String, NightlyRuns.Last> nights =
                    looks == null ? Map.of() : NightlyRuns.last(options.results, settings, Instant.now());
            RunInfo info = info(profile, plan, builds, environment, calibration, nights);
            RunFolder folder = new RunFolders(options, console.err()::println).open(info, environment);
            announce(plan, environment, folder);
            if (looks != null) {
                announce(looks, plan, info, nights);
            }
            Outcome outcome = measure(
                    looks == null ? plan : plan.lookingAfter(looks.rounds()), builds, calibration, data.path(), folder);
            if (outcome.end() == Outcome.End.INTERRUPTED) {
                return new Measured(outcome, null);
            }
            folder.writeInfo(folder.readInfo().finished(Instant.now().toString(), Math.max(1, outcome.rounds())));
            Reports reports = Reports.of(folder, matrix, invocation.loader());
            reports.write();
            return new Measured(outcome, reports);
        }
    }

    private RunInfo info(
            Profile profile,
            Plan plan,
            Builds builds,
            Environment environment,
            Calibration calibration,
            Map<String, NightlyRuns.Last> nights)
            throws IOException {
        BuildInfo build = builds.own();
        SortedMap<String, String> settings = plan.settings().describe();
        settings.put(Builds.DIGEST, builds.digest());
        settings.put(Changes.FLOOR, percent(calibration.floorPercent()));
        plan.cellIds().stream()
                .filter(cell ->
                        floor(nights.get(cell)) > Math.max(Verdict.MIN_FLOOR_PERCENT, calibration.floorPercent()))
                .forEach(cell -> settings.put(Changes.FLOOR + " " + cell, percent(floor(nights.get(cell)))));
        if (!options.profilers.isEmpty()) {
            settings.put(Changes.PROFILERS, Profilers.describe(options.profilers));
        }
        return new RunInfo(
                RunInfo.SCHEMA,
                profile.label(),
                invocation.recordedCommandLine(),
                build.version(),
                build.commit(),
                build.dirty(),
                Instant.now().toString(),
                null,
                HiddenPaths.DATA,
                environment.tmpfs(),
                plan.cellIds(),
                plan.settings().maxRounds(),
                Runtime.version().toString(),
                builds.baseline(),
                settings);
    }

    private static double floor(NightlyRuns.@Nullable Last last) {
        return last == null ? 0 : last.floorPercent();
    }

    private static String percent(double percent) {
        return String.format(Locale.ROOT, "%.2f", percent);
    }

    /** Prints at how many pairs the cells are judged, and the chances of each whose spread earlier nights have shown. */
    private void announce(Looks looks, Plan plan, RunInfo info, Map<String, NightlyRuns.Last> nights) {
        console.err()
                .println("Judged after pairs of forks: "
                        + looks.rounds().stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".");
        Duration budget = plan.settings().budget();
        long round = Math.max(1, plan.roundTime().toMillis());
        int pairs = (int)
                Math.min(plan.settings().maxRounds(), budget == null ? Integer.MAX_VALUE : budget.toMillis() / round);
        for (String cell : plan.cellIds()) {
            NightlyRuns.Last last = nights.get(cell);
            if (last != null && last.spread() > 0) {
                console.err()
                        .println(cell + ": "
                                + Power.describe(
                                        last.spread(), Changes.recordedFloor(info, cell), looks.error(), pairs));
            }
        }
    }

    private void announce(Plan plan, Environment environment, RunFolder folder) {
        console.err()
                .println(environment.cpuModel() + ", " + environment.cores() + " cores, " + environment.os() + ", JDK "
                        + environment.jdkVersion() + ", " + environment.fileSystem());
        console.err()
                .println(plan.cellIds().size() + " cells, about " + Durations.about(plan.roundTime())
                        + " a round, recorded in " + folder.path());
        if (environment.tmpfs()) {
            console.err()
                    .println(
                            "Warning: the data folder is in memory (tmpfs): no figure of this run says anything of a disk.");
        }
    }

    @SuppressWarnings("try") // the lock is held, not used
    private Outcome measure(Plan plan, Builds builds, Calibration calibration, Path data, RunFolder folder)
            throws IOException {
        try (JmhLock lock = JmhLock.acquire(options.lockWait, console.err()::println);
                JmhForkRunner runner = runner(plan, builds, data, folder);
                ForkLog log = folder.openLog()) {
            return session(plan, runner, log, calibration, folder);
        }
    }

    private Outcome session(Plan plan, JmhForkRunner runner, ForkLog log, Calibration calibration, RunFolder folder)
            throws IOException {
        ProgressLine progress = new ProgressLine(console, System::nanoTime);
        Session session = new Session(
                plan,
                runner,
                log,
                folder.readForks(),
                progress,
                calibration,
                () -> Changes.decided(ReportInput.read(folder, matrix, SeedFigures.none())),
                System::nanoTime);
        Runnable stop = () -> {
            session.interrupt();
            progress.clear();
            console.err().println("Interrupted. Go on with: " + invocation.toResume(folder.path()));
        };
        invocation.shutdown().first(stop);
        try {
            return session.run();
        } finally {
            invocation.shutdown().forget(stop);
            progress.clear();
        }
    }

    private JmhForkRunner runner(Plan plan, Builds builds, Path data, RunFolder folder) throws IOException {
        try {
            return new JmhForkRunner(
                    plan.settings().jmhOptions(),
                    data,
                    () -> NoiseMeter.start()::stop,
                    new RulerProbe(data)::measure,
                    builds.classPaths(),
                    Profilers.of(
                            options.profilers,
                            invocation.loader(),
                            data,
                            fork -> folder.profiles(fork.round(), fork.order(), fork.rerun())),
                    folder::forkOutput);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The outcome of a run with its reports.
     *
     * @param reports null if the run was interrupted
     */
    record Measured(Outcome outcome, @Nullable Reports reports) {}
}
