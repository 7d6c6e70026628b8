package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.Ruler;
import java.util.ArrayList;
import java.util.List;

/**
 * What a comparison has shown, cell by cell. Immutable.
 *
 * @param title which sides
 * @param rows judged together, in the order of the run
 * @param warnings what a reader must know before any verdict
 */
public record Changes(String title, List<Change> rows, List<String> warnings) {
    /** Copies. */
    public Changes {
        rows = List.copyOf(rows);
        warnings = List.copyOf(warnings);
    }

    /** Name of the setting that a run records its floor under. */
    public static final String FLOOR = "floor percent";

    /**
     * The run's build against its baseline, both measured in it. Where the run measured its build twice, what that showed raises the floor.
     *
     * @return no rows where the run had no baseline
     */
    public static Changes ofBuilds(ReportInput input) {
        BuildInfo baseline = input.run().baseline();
        String against = baseline == null ? "" : baseline.commit();
        String title = "Build " + input.run().commit() + " beside " + against;
        return new Changes(
                title, judge(input).judge(Contests.builds(input, Build.BASELINE, against, floor(input))), dirt(input));
    }

    /** The run's build against itself. Whatever differs is the machine's. */
    public static Changes ofAgain(ReportInput input) {
        String title = "Build " + input.run().commit() + " beside itself";
        return new Changes(
                title,
                judge(input).judge(Contests.builds(input, Build.AGAIN, "itself", recordedFloor(input))),
                List.of());
    }

    /** Ours against the peers that ran beside it. */
    public static Changes ofPeers(ReportInput input, double floorPercent) {
        String title = "Build " + input.run().commit() + " beside its peers";
        return new Changes(title, new Judge(0).judge(Contests.peers(input, floorPercent)), dirt(input));
    }

    /**
     * A run against an earlier one.
     *
     * @param unlike what differs between the two beside the build
     */
    public static Changes ofRuns(ReportInput older, ReportInput newer, double floorPercent, List<String> unlike) {
        List<String> warnings = new ArrayList<>();
        unlike.forEach(difference -> warnings.add("Forced: " + difference));
        warnings.add("The runs were made apart: what else the machine did in between is part of every ratio.");
        if (Contests.driftPercent(older.forks(), newer.forks(), Ruler.Kind.CPU).isEmpty()) {
            warnings.add("One of the runs did not measure the machine itself, so its drift is not known.");
        }
        String title = "Run of " + newer.run().commit() + " beside run of "
                + older.run().commit();
        return new Changes(title, new Judge(0).judge(Contests.runs(older, newer, floorPercent)), warnings);
    }

    /** Of a run's first stage, the cells whose second is worth its time, the clearest first. Later rounds change nothing of it. */
    public static List<String> candidates(ReportInput input, int confirmRounds) {
        ReportInput screen = input.before((int) setting(input, Settings.SCREEN));
        return judge(input).candidates(Contests.builds(screen, Build.BASELINE, "", floor(screen)), confirmRounds);
    }

    /** What cells of the run differed by, as shares, though nothing differed. */
    public List<Double> effectPercents() {
        return Contests.effectPercents(rows);
    }

    private static Judge judge(ReportInput input) {
        return new Judge((int) setting(input, Settings.SCREEN));
    }

    private static double floor(ReportInput input) {
        return Math.max(
                recordedFloor(input), Calibration.floorPercent(ofAgain(input).effectPercents()));
    }

    private static double recordedFloor(ReportInput input) {
        return Math.max(Verdict.MIN_FLOOR_PERCENT, setting(input, FLOOR));
    }

    /** A number among the settings; 0 where there is none, as in runs of earlier versions. */
    private static double setting(ReportInput input, String name) {
        String text = input.run().settings().getOrDefault(name, "");
        return text.matches("[0-9]{1,6}([.][0-9]{1,6})?") ? Double.parseDouble(text) : 0;
    }

    private static List<String> dirt(ReportInput input) {
        BuildInfo baseline = input.run().baseline();
        boolean dirty = input.run().dirty() || (baseline != null && baseline.dirty());
        return dirty ? List.of("A build had uncommitted changes: its commit doesn't describe it.") : List.of();
    }

    /** The cells with this verdict. */
    public List<Change> of(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).toList();
    }

    /** Whether anything at all was shown. */
    public boolean decided() {
        return of(Verdict.UNKNOWN).size() < rows.size();
    }

    /** Whether some cell of ours gave no score. That a baseline gives none is no fault of ours: it may not have the benchmark yet. */
    public boolean ownFailed() {
        return rows.stream().anyMatch(Change::ownFailed);
    }

    /** Whether some cell failed on a side. */
    public boolean failed() {
        return rows.stream().anyMatch(row -> row.failure() != null);
    }
}
