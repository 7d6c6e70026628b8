package dev.touchstone.harness.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.Comparability;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.text.ChangeReport;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.plan.BuildJar;
import dev.touchstone.harness.run.plan.Builds;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}: who is faster, by how much, and how sure that is. */
@Command(
        name = "compare",
        description = {
            "Shows which of two sides is slower, and how sure that is.",
            "",
            "Without a side, our subjects are measured beside their peers. One capsule is compared with this build, and "
                    + "two capsules with each other. Forks take turns until each ratio is decided or the budget ends. "
                    + "Two recorded runs are compared as they are; in one recorded run, our subjects are compared with "
                    + "their peers.",
            "",
            "Without --workloads and --parts, the matrix's headline is measured, and of builds the quick profile."
        },
        exitCodeList = {
            "0:Every cell is decided, and none is slower.",
            "1:Something is slower.",
            "2:The command line or a file cannot be used, or the sides are not comparable.",
            "3:No cell is slower, but some are not decided.",
            "4:A benchmark or the machine failed."
        })
final class CompareCommand implements Callable<Integer> {
    private static final int MAX_SIDES = 2;

    private final Invocation invocation;

    @Parameters(
            arity = "0..*",
            paramLabel = "<side>",
            description = "Capsule (jar), or folder of a recorded run. The older side comes first.")
    private List<Path> sides = new ArrayList<>();

    @Option(
            names = "--aa",
            description =
                    "Calibrate: measure a build against itself, and keep the difference that noise alone shows as this "
                            + "machine's floor.")
    private boolean calibrate;

    @Option(
            names = "--force",
            description = "Compare sides that are not comparable too; the report lists their differences.")
    private boolean force;

    @Mixin
    private CompareOptions choice = new CompareOptions();

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    CompareCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        for (Path side : sides) {
            if (!Files.exists(side)) {
                throw new UsageException("no such file or folder: path=" + side + "; check the path");
            }
        }
        long jars = sides.stream().filter(Files::isRegularFile).count();
        if (sides.size() > MAX_SIDES || (jars != 0 && jars != sides.size())) {
            throw new UsageException("expected one or two capsules, or one or two recorded runs, got " + sides);
        }
        if (calibrate) {
            return calibrate();
        }
        if (sides.isEmpty()) {
            return show(peers());
        }
        return show(jars > 0 ? builds() : sides.size() == 1 ? ofOneRun() : ofTwoRuns());
    }

    private Integer show(@Nullable Changes changes) {
        if (changes == null) {
            return HarnessExitCode.FAILED;
        }
        invocation.console().out().print(options.json ? ChangeReport.json(changes) : ChangeReport.text(changes));
        invocation.console().out().flush();
        return exitCode(changes, changes.failed());
    }

    /** Returns the code of a regression even if other cells failed, and that of a failure even if other cells are undecided. */
    static int exitCode(Changes changes, boolean failed) {
        if (!changes.of(Verdict.SLOWER).isEmpty()) {
            return HarnessExitCode.SLOWER;
        }
        if (failed) {
            return HarnessExitCode.FAILED;
        }
        return changes.decided() ? ExitCode.OK : HarnessExitCode.NO_VERDICT;
    }

    private Changes ofOneRun() throws Exception {
        ReportInput run = recorded(sides.get(0));
        return run.run().baseline() == null ? Changes.ofPeers(run, floor(sides.get(0))) : Changes.ofBuilds(run);
    }

    private Changes ofTwoRuns() throws Exception {
        ReportInput older = recorded(sides.get(0));
        ReportInput newer = recorded(sides.get(1));
        List<String> unlike = Comparability.of(older, newer).stream()
                .map(Comparability.Difference::toString)
                .toList();
        if (!unlike.isEmpty() && !force) {
            throw new UsageException("unlike runs, not compared without --force: " + String.join("; ", unlike));
        }
        Changes changes = Changes.ofRuns(older, newer, floor(sides.get(1)), unlike);
        if (changes.rows().isEmpty()) {
            throw new UsageException("the runs have no cell in common: " + cells(older) + " and " + cells(newer));
        }
        return changes;
    }

    private static String cells(ReportInput run) {
        List<String> cells = run.run().cells();
        return cells.size()
                + (cells.size() == 1 ? " cell as " : " cells as ")
                + cells.stream().findFirst().orElse("none");
    }

    private ReportInput recorded(Path folder) throws Exception {
        return Reports.of(RunFolder.open(folder), MatrixReader.fromClassPath(invocation.loader()), invocation.loader())
                .input();
    }

    /** Returns the floor in percent that the run's machine was calibrated to, if its calibration lies beside the run; at least the smallest floor. */
    private static double floor(Path run) throws IOException {
        Path host = Objects.requireNonNullElse(run.toAbsolutePath().normalize().getParent(), run);
        Path results = Objects.requireNonNullElse(host.getParent(), host);
        Calibration calibration = Calibration.read(
                results, Objects.requireNonNullElse(host.getFileName(), host).toString());
        return Math.max(Verdict.MIN_FLOOR_PERCENT, calibration.floorPercent());
    }

    private @Nullable Changes peers() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        BuildInfo own = BuildInfo.load(invocation.loader());
        Reports reports = measurement
                .measure(
                        Profile.COMPARE,
                        measurement.comparisons(choice.selection(options), choice.extent(options, Extent.HEADLINE)),
                        choice.settings(invocation.jmhOptions()),
                        folder -> Builds.only(own))
                .reports();
        return reports == null ? null : Changes.ofPeers(written(reports).input(), 0);
    }

    private @Nullable Changes builds() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        Settings settings = choice.settings(invocation.jmhOptions());
        Reports reports = measurement
                .measure(
                        Profile.COMPARE,
                        measurement.ownCells(choice.selection(options), choice.extent(options, Extent.QUICK)),
                        settings,
                        this::open)
                .reports();
        return reports == null ? null : Changes.ofBuilds(written(reports).input());
    }

    private Builds open(Path folder) throws IOException {
        BuildInfo here = BuildInfo.load(invocation.loader());
        BuildJar older = BuildJar.unpack(sides.get(0), folder.resolve("baseline"));
        BuildJar newer = sides.size() < MAX_SIDES ? null : BuildJar.unpack(sides.get(1), folder.resolve("own"));
        Builds builds = Builds.of(List.of(Build.OWN, Build.BASELINE), here, newer, older);
        checkClean(builds.own());
        checkClean(older.info());
        return builds;
    }

    private void checkClean(BuildInfo build) {
        if (build.dirty() && !force) {
            throw new UsageException(
                    "build " + build.commit()
                            + " is dirty: it had uncommitted changes, so its commit doesn't describe it; not compared without --force");
        }
    }

    private int calibrate() throws Exception {
        if (sides.size() > 1) {
            throw new UsageException("--aa measures one build, got " + sides.size());
        }
        Settings settings = choice.calibrating(invocation.jmhOptions());
        if (settings.minRounds() < Settings.MIN_PAIRS) {
            throw new UsageException("--rounds with --aa: expected at least " + Settings.MIN_PAIRS
                    + ", fewer pairs show nothing, got " + settings.minRounds());
        }
        Measurement measurement = new Measurement(invocation, options);
        Reports reports = measurement
                .measure(
                        Profile.CALIBRATE,
                        measurement.ownCells(choice.selection(options), choice.extent(options, Extent.QUICK)),
                        settings,
                        folder -> Builds.of(
                                List.of(Build.OWN, Build.AGAIN),
                                BuildInfo.load(invocation.loader()),
                                sides.isEmpty() ? null : BuildJar.unpack(sides.get(0), folder.resolve("own")),
                                null))
                .reports();
        if (reports == null) {
            return HarnessExitCode.FAILED;
        }
        ReportInput input = written(reports).input();
        Changes changes = Changes.ofAgain(input);
        List<Double> shown = Changes.besideItself(input.forks()).values().stream()
                .map(PairedRatio::shownPercent)
                .toList();
        if (shown.isEmpty()) {
            invocation.console().err().println("No cell has six undisturbed pairs of forks; nothing learned.");
            return changes.failed() ? HarnessExitCode.FAILED : HarnessExitCode.NO_VERDICT;
        }
        Calibration learned =
                Calibration.of(input.run().startedAt(), input.forks().size() / 2, shown, input.forks());
        Path file = learned.write(options.results, HostId.ofThisMachine());
        invocation
                .console()
                .out()
                .print(options.json ? StrictJson.pretty(learned) : ChangeReport.text(changes) + learned(learned));
        invocation.console().out().flush();
        invocation.console().err().println("Kept in " + file);
        return ExitCode.OK;
    }

    private static String learned(Calibration learned) {
        return String.format(
                Locale.ROOT,
                "Floor of this machine: %.1f %% (no less than %.0f %% is ever used), from %d pairs of forks.%n",
                learned.floorPercent(),
                Verdict.MIN_FLOOR_PERCENT,
                learned.pairs());
    }

    private Reports written(Reports reports) {
        invocation.console().err().println("Report: " + reports.folder().path().resolve(Reports.HTML));
        return reports;
    }
}
