package dev.touchstone.harness.report;

import dev.touchstone.harness.report.CellComparisons.Limits;
import dev.touchstone.harness.report.Judge.Contest;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.run.fork.Profilers;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The results of a comparison, cell by cell. Immutable.
 *
 * @param title heading that names the sides
 * @param rows judged together, in the order of the run
 * @param warnings sentences that a reader must know before any verdict
 */
public record Changes(String title, List<Change> rows, List<String> warnings) {
    /** Copies. */
    public Changes {
        rows = List.copyOf(rows);
        warnings = List.copyOf(warnings);
    }

    /** Name of the setting that a run records its profilers under. */
    public static final String PROFILERS = "profilers";

    /** Name of the setting that a run records its machine's floor under, and before a cell's id that cell's own. */
    public static final String FLOOR = "floor percent";

    /**
     * Compares the run's build with its baseline, both measured in it. Where the run measured its build twice and showed that a cell differs from
     * itself, this raises the cell's floor.
     *
     * @return no rows where the run had no baseline
     */
    public static Changes ofBuilds(ReportInput input) {
        BuildInfo baseline = input.run().baseline();
        String against = baseline == null ? "" : baseline.commit();
        String title = "Build " + input.run().commit() + " beside " + against;
        return new Changes(title, judge(input).judge(builds(input, against)), dirt(input));
    }

    /** Compares the run's build with itself. Every difference is the machine's. */
    public static Changes ofAgain(ReportInput input) {
        String title = "Build " + input.run().commit() + " beside itself";
        Limits limits = new Limits(cell -> recordedFloor(input.run(), cell), margin(input));
        List<Contest> contests = CellComparisons.builds(input.forks(), Build.AGAIN, "itself", limits);
        return new Changes(title, judge(input).judge(contests), List.of());
    }

    /**
     * Compares ours with the peers that ran beside it.
     *
     * @param floorPercent of the machine, for runs that record none
     */
    public static Changes ofPeers(ReportInput input, double floorPercent) {
        String title = "Build " + input.run().commit() + " beside its peers";
        List<Contest> contests = peers(input, floorPercent);
        return new Changes(title, judge(input).judge(contests), dirt(input));
    }

    private static List<Contest> peers(ReportInput input, double floorPercent) {
        Limits limits = new Limits(cell -> Math.max(floorPercent, recordedFloor(input.run(), cell)), margin(input));
        return CellComparisons.peers(input, limits);
    }

    /**
     * Compares a run with an earlier one.
     *
     * @param unlike differences between the two beside the build
     */
    public static Changes ofRuns(ReportInput older, ReportInput newer, double floorPercent, List<String> unlike) {
        List<String> warnings = new ArrayList<>();
        unlike.forEach(difference -> warnings.add("Forced: " + difference));
        warnings.add("The runs were made apart: what else the machine did in between is part of every ratio.");
        if (CellComparisons.driftPercent(older.forks(), newer.forks(), ReferenceLoad.Kind.CPU)
                .isEmpty()) {
            warnings.add("One of the runs did not measure the machine itself, so its drift is not known.");
        }
        String title = "Run of " + newer.run().commit() + " beside run of "
                + older.run().commit();
        List<Contest> contests =
                CellComparisons.runs(older, newer, new Limits(cell -> floorPercent, Verdict.MARGIN_PERCENT));
        return new Changes(title, new Judge(Looks.once(contests.size())).judge(contests), warnings);
    }

    /** Returns the cells of a run that goes on which need no further forks. */
    public static Set<String> decided(ReportInput input) {
        List<Contest> open = new ArrayList<>(builds(input, ""));
        List<Contest> closed = judge(input).decided(open);
        open.removeAll(closed);
        Set<String> decided = closed.stream().map(CellComparisons::cell).collect(Collectors.toCollection(TreeSet::new));
        open.forEach(contest -> decided.remove(CellComparisons.cell(contest)));
        List<Contest> peers = peers(input, 0);
        if (!peers.isEmpty()) {
            List<Contest> over = new ArrayList<>(judge(input).decided(peers));
            peers.stream().filter(contest -> contest.failure() != null).forEach(over::add);
            decided.addAll(CellComparisons.over(input, over));
        }
        return decided;
    }

    /** Returns each cell's ratio to itself, where the run measured its build twice, with the coverage {@link PairedRatio#WISHED}. */
    public static Map<String, PairedRatio> besideItself(List<ForkResult> forks) {
        return itself(forks, CellComparisons::isOfScores);
    }

    private static Map<String, PairedRatio> itself(List<ForkResult> forks, Predicate<Contest> wanted) {
        Map<String, PairedRatio> ratios = new TreeMap<>();
        List<Contest> contests = CellComparisons.builds(forks, Build.AGAIN, "itself", new Limits(cell -> 0, 0)).stream()
                .filter(wanted)
                .toList();
        for (Contest contest : contests) {
            Pairs.ratio(contest.pairs().clean(), contest.higherIsBetter(), PairedRatio.WISHED)
                    .filter(ratio -> ratio.coverage() >= PairedRatio.WISHED)
                    .ifPresent(ratio -> ratios.put(contest.cell(), ratio));
        }
        return ratios;
    }

    private static List<Contest> builds(ReportInput input, String against) {
        Map<String, PairedRatio> again = itself(input.forks(), contest -> true);
        Limits limits = new Limits(
                cell -> Math.max(
                        recordedFloor(input.run(), cell),
                        Optional.ofNullable(again.get(cell))
                                .map(PairedRatio::shownPercent)
                                .orElse(0.0)),
                margin(input));
        return CellComparisons.builds(input.forks(), Build.BASELINE, against, limits);
    }

    /**
     * Returns how many ratios a run of these cells is to decide: those to peers, or of builds one for each score and each further witness of cells
     * that are all ours.
     *
     * @param profilers the run's, as {@link Profilers#describe} names them
     */
    public static int planned(List<String> cells, Matrix matrix, String profilers) {
        int peers = CellComparisons.peerCells(cells, matrix).size();
        return peers == 0 ? CellComparisons.builds(cells, profilers.contains(Profilers.Name.PERF.label())) : peers;
    }

    /** Runs of earlier versions had no planned looks and are judged once. */
    private static Judge judge(ReportInput input) {
        int cells = planned(
                input.run().cells(), input.matrix(), input.run().settings().getOrDefault(PROFILERS, ""));
        int pairs = (int) setting(input.run(), Settings.PAIRS);
        return new Judge(pairs > 0 ? Looks.of(cells, pairs) : Looks.once(cells));
    }

    /** Returns the floor that a run records for a cell, at least {@link Verdict#MIN_FLOOR_PERCENT}. */
    public static double recordedFloor(RunInfo run, String cell) {
        double recorded = Math.max(setting(run, FLOOR), setting(run, FLOOR + " " + cell));
        return Math.max(Verdict.MIN_FLOOR_PERCENT, recorded);
    }

    private static double margin(ReportInput input) {
        double recorded = setting(input.run(), Settings.MARGIN);
        return recorded > 0 ? recorded : Verdict.MARGIN_PERCENT;
    }

    /** Returns a number among the settings; 0 where there is none, as in runs of earlier versions. */
    private static double setting(RunInfo run, String name) {
        String text = run.settings().getOrDefault(name, "");
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

    /** Returns whether some cell has scores of both sides, and each that has is decided. */
    public boolean decided() {
        List<Change> measured =
                rows.stream().filter(row -> row.failure() == null).toList();
        return !measured.isEmpty() && measured.stream().noneMatch(row -> row.verdict() == Verdict.UNKNOWN);
    }

    /** Returns whether a cell of ours has no score. A baseline without a score does not count: it may not have the benchmark yet. */
    public boolean ownFailed() {
        return rows.stream().anyMatch(Change::ownFailed);
    }

    /** Returns whether a cell failed on either side. */
    public boolean failed() {
        return rows.stream().anyMatch(row -> row.failure() != null);
    }
}
