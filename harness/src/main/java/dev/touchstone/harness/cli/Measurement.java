package dev.touchstone.harness.cli;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.EnvironmentProbe;
import dev.touchstone.harness.env.NoiseMeter;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.HiddenPaths;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.JmhForkRunner;
import dev.touchstone.harness.run.JmhLock;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Outcome;
import dev.touchstone.harness.run.Plan;
import dev.touchstone.harness.run.Planner;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.Session;
import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** One measuring command from the checks before it to the report after it. */
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
    List<List<Cell>> comparisons(Selection selection, boolean quick) {
        Choices.check(selection, matrix, catalog);
        return Comparisons.of(matrix, selection, quick);
    }

    /** Measures, reports, and tells the exit code. */
    int run(Profile profile, List<List<Cell>> comparisons, Settings settings) throws IOException, MatrixException {
        if (comparisons.isEmpty()) {
            throw new UsageException("nothing chosen to measure; see: list");
        }
        try (DataFolder data = DataFolder.open(options.data, invocation.shutdown())) {
            ForkFlags flags = new ForkFlags(matrix, Runtime.version().feature());
            Plan plan = new Planner(catalog, flags).plan(comparisons, settings);
            Environment environment = EnvironmentProbe.capture(data.path());
            data.checkSpace(environment, profile);
            RunInfo info = info(profile, plan, environment);
            RunFolder folder = new RunFolders(options, console.err()::println).open(info, environment);
            announce(plan, environment, folder);
            Outcome outcome = measure(plan, data.path(), folder);
            return finish(outcome, folder);
        }
    }

    private RunInfo info(Profile profile, Plan plan, Environment environment) {
        BuildInfo build = BuildInfo.load(invocation.loader());
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
                plan.settings().describe());
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
    private Outcome measure(Plan plan, Path data, RunFolder folder) throws IOException {
        List<String> jmhOptions = plan.settings().jmhOptions();
        ProgressLine progress = new ProgressLine(console, System::nanoTime);
        try (JmhLock lock = JmhLock.acquire(console.err()::println);
                JmhForkRunner runner = runner(jmhOptions, data, folder);
                ForkLog log = folder.openLog()) {
            Session session = new Session(plan, runner, log, folder.readForks(), progress, System::nanoTime);
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
    }

    private static JmhForkRunner runner(List<String> jmhOptions, Path data, RunFolder folder) {
        try {
            return new JmhForkRunner(jmhOptions, data, () -> NoiseMeter.start()::stop, folder::forkOutput);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private int finish(Outcome outcome, RunFolder folder) throws IOException {
        if (outcome.end() == Outcome.End.INTERRUPTED) {
            return ExitCode.FAILED;
        }
        folder.writeInfo(RunFolders.finished(folder.readInfo(), outcome, Instant.now()));
        Reports reports = Reports.of(folder, matrix, invocation.loader());
        reports.write();
        console.out().print(options.json ? reports.json() : reports.text());
        console.out().flush();
        console.err().println("Report: " + folder.path().resolve(Reports.HTML));
        if (outcome.end() == Outcome.End.BUDGET && outcome.rounds() == 0) {
            console.err().println("The budget ended before every cell was measured once.");
            return ExitCode.NO_VERDICT;
        }
        return outcome.failedForks() > 0 ? ExitCode.FAILED : ExitCode.OK;
    }
}
