package dev.touchstone.harness.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The judge of the first version, kept for the comparison in {@link EvidenceTrialsTest}: eight pairs of each cell choose the candidates, twelve
 * fresh pairs decide by an exact signed-rank test with Holm's adjustment. Pure functions.
 */
final class FormerJudge {
    static final int SCREEN = 8;
    static final int CONFIRM = 12;
    private static final double FLOOR = Math.log(1.03);
    private static final double SCREEN_LEVEL = 0.2;
    private static final double LEVEL = 0.01;
    private static final int MAX_CANDIDATES = 20;

    private FormerJudge() {}

    /** Judges log-ratios, {@link #SCREEN} and {@link #CONFIRM} of each cell. */
    static Verdict[] judge(double[][] cells) {
        Verdict[] verdicts = new Verdict[cells.length];
        List<Integer> candidates = new ArrayList<>();
        Result[] screen = new Result[cells.length];
        for (int cell = 0; cell < cells.length; cell++) {
            screen[cell] = Result.of(Arrays.copyOf(cells[cell], SCREEN));
            if (screen[cell].p < SCREEN_LEVEL && Math.abs(screen[cell].estimate) > FLOOR) {
                candidates.add(cell);
            }
            verdicts[cell] = screen[cell].verdict(1);
        }
        candidates.sort(Comparator.comparingDouble(cell -> screen[cell].p));
        List<Integer> chosen = candidates.subList(0, Math.min(MAX_CANDIDATES, candidates.size()));
        Result[] fresh = new Result[cells.length];
        chosen.forEach(cell -> fresh[cell] = Result.of(Arrays.copyOfRange(cells[cell], SCREEN, SCREEN + CONFIRM)));
        List<Integer> ordered = new ArrayList<>(chosen);
        ordered.sort(Comparator.comparingDouble(cell -> fresh[cell].p));
        double reached = 0;
        for (int rank = 0; rank < ordered.size(); rank++) {
            int cell = ordered.get(rank);
            reached = Math.max(reached, Math.min(1, (ordered.size() - rank) * fresh[cell].p));
            verdicts[cell] = fresh[cell].verdict(reached);
        }
        return verdicts;
    }

    private record Result(double estimate, double low, double high, double p) {
        static Result of(double[] logs) {
            double[] walsh = new double[logs.length * (logs.length + 1) / 2];
            int at = 0;
            for (int i = 0; i < logs.length; i++) {
                for (int j = i; j < logs.length; j++) {
                    walsh[at++] = (logs[i] + logs[j]) / 2;
                }
            }
            Arrays.sort(walsh);
            double[] probabilities = SignedRank.probabilities(logs.length);
            int k = SignedRank.rank(probabilities, PairedRatio.WISHED);
            long above = Arrays.stream(walsh).filter(average -> average > 0).count();
            double tail = 0;
            for (int t = 0; t <= Math.min(above, walsh.length - above); t++) {
                tail += probabilities[t];
            }
            return new Result(Summary.median(walsh), walsh[k - 1], walsh[walsh.length - k], Math.min(1, 2 * tail));
        }

        Verdict verdict(double adjustedP) {
            if (adjustedP < LEVEL && Math.abs(estimate) > FLOOR) {
                return estimate > 0 ? Verdict.FASTER : Verdict.SLOWER;
            }
            return low >= -FLOOR && high <= FLOOR ? Verdict.SAME : Verdict.UNKNOWN;
        }
    }
}
