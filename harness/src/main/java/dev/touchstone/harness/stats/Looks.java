package dev.touchstone.harness.stats;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers of pairs of forks at which the cells of a run are judged, and the error that each look may spend. Immutable.
 *
 * <p>All looks of all cells together give a false verdict in at most {@link #NIGHT_ERROR} of the runs. The error that intervals may use is divided evenly by the number
 * of planned cells (Bonferroni), so that no cell's verdict depends on another's. A cell's share is spent over its looks in proportion to the
 * pairs (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983; the linear function is Kim and DeMets', Biometrika
 * 74, 1987), and each look's interval has the coverage that remains after its own spending alone, as the repeated confidence intervals of Jennison
 * and Turnbull (JRSS B 51, 1989). The sum of the looks' errors bounds the error of all of them, whatever their dependence (Slud and Wei, JASA 77,
 * 1982), so that exact tests of few pairs can be used where the usual boundaries are normal approximations.
 *
 * <p>A run whose budget ends earlier spends what is left at its last look: the end of the budget does not depend on the scores.
 */
public final class Looks {
    /** Share of runs that may have any false verdict. */
    public static final double NIGHT_ERROR = 0.01;

    /** Part of the error that the intervals may use; the rest is for scatter that is not as symmetric as their test assumes. */
    private static final double USED = 1.0 / 3;

    /** Each look has at least this many times the pairs of the look before. */
    private static final double GROWTH = 1.35;

    private final List<Integer> rounds;
    private final double error;

    private Looks(List<Integer> rounds, double error) {
        this.rounds = List.copyOf(rounds);
        this.error = error;
    }

    /**
     * Plans the looks of a run.
     *
     * @param cells number of planned cells
     * @param pairs most pairs of forks of a cell, at least 1
     */
    public static Looks of(int cells, int pairs) {
        double error = errorOf(cells);
        int look = 2;
        // Before that, not even pairs that all agree could decide.
        while (look < pairs && Math.pow(2, 1 - look) > error * look / pairs) {
            look++;
        }
        List<Integer> rounds = new ArrayList<>();
        for (; look < pairs; look = (int) Math.ceil(look * GROWTH)) {
            rounds.add(look);
        }
        rounds.add(pairs);
        return new Looks(rounds, error);
    }

    /** Plans a single look at whatever number of pairs there is. */
    public static Looks once(int cells) {
        return new Looks(List.of(Integer.MAX_VALUE), errorOf(cells));
    }

    /** Returns the numbers of pairs, ascending. */
    public List<Integer> rounds() {
        return rounds;
    }

    /** Returns the fewest pairs that can decide a cell. */
    public int first() {
        return rounds.get(0);
    }

    /** Returns the error that one cell may have over all looks. */
    public double error() {
        return error;
    }

    /** Returns the error of the look at this position while further looks may follow. */
    public double error(int index) {
        return spent(index) - spent(index - 1);
    }

    /** Returns the error of a last look that follows so many planned looks: all that they have left. */
    public double rest(int looks) {
        return error - spent(looks - 1);
    }

    private static double errorOf(int cells) {
        return USED * NIGHT_ERROR / Math.max(1, cells);
    }

    private double spent(int index) {
        return index < 0 ? 0 : error * rounds.get(index) / rounds.get(rounds.size() - 1);
    }
}
