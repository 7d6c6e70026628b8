package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.statistics.inference.PValueMethod;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairedRatioTest {
    private static final long SEED = 20260101;

    @Test
    void of_rates_aboveOneWhereOursIsHigher() {
        PairedRatio ratio = PairedRatio.of(Map.of(0, 200.0, 1, 220.0), Map.of(0, 100.0, 1, 110.0), true)
                .orElseThrow();
        assertThat(ratio.ratio()).isEqualTo(2, within(1e-12));
    }

    @Test
    void of_times_aboveOneWhereOursIsLower() {
        PairedRatio ratio =
                PairedRatio.of(Map.of(0, 1.0), Map.of(0, 3.0), false).orElseThrow();
        assertThat(ratio).isEqualTo(new PairedRatio(1, ratio.ratio(), ratio.ratio(), ratio.ratio(), 0, 0, 0));
        assertThat(ratio.ratio()).isEqualTo(3, within(1e-12));
        assertThat(ratio.decided()).isFalse();
    }

    @Test
    void of_missingRounds_usesThoseThatBothHave() {
        Optional<PairedRatio> ratio =
                PairedRatio.of(Map.of(0, 10.0, 2, 40.0, 3, 90.0), Map.of(1, 5.0, 2, 10.0, 3, 30.0), true);
        assertThat(ratio.orElseThrow().n()).isEqualTo(2);
        assertThat(ratio.orElseThrow().low()).isEqualTo(3, within(1e-12));
        assertThat(ratio.orElseThrow().high()).isEqualTo(4, within(1e-12));
    }

    @Test
    void of_noCommonOrNoPositiveScore_isEmpty() {
        assertThat(PairedRatio.of(Map.of(0, 1.0), Map.of(1, 1.0), true)).isEmpty();
        assertThat(PairedRatio.of(Map.of(), Map.of(), true)).isEmpty();
        assertThat(PairedRatio.of(Map.of(0, 0.0, 1, Double.NaN), Map.of(0, 1.0, 1, 1.0), true))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void ofLogs_fewPairs_givesTheWholeRangeAndSaysItsCoverage(int n) {
        double[] logs = sample(new Random(SEED), n, 0.3);
        PairedRatio ratio = ofLogs(logs);
        assertThat(ratio.low()).isEqualTo(Math.exp(Arrays.stream(logs).min().orElseThrow()));
        assertThat(ratio.high()).isEqualTo(Math.exp(Arrays.stream(logs).max().orElseThrow()));
        assertThat(ratio.coverage()).isEqualTo(1 - Math.pow(2, 1 - n), within(1e-12));
    }

    /** The interval is the set of centres that the signed-rank test, done by hand on every sign flip, doesn't reject. */
    @ParameterizedTest
    @ValueSource(ints = {6, 7, 9, 11})
    void ofLogs_oracle_intervalHoldsWhatTheTestAccepts(int n) {
        Random random = new Random(SEED + n);
        for (int trial = 0; trial < 20; trial++) {
            double[] logs = sample(random, n, 0.2);
            PairedRatio ratio = ofLogs(logs);
            if (ratio.outliers() > 0) {
                continue; // the test by hand knows no bulk
            }
            double inside = 1e-9 * (ratio.high() - ratio.low());
            String how = "seed=" + (SEED + n) + " trial=" + trial;
            assertThat(ratio.coverage()).as(how).isGreaterThanOrEqualTo(0.95);
            double level = 1 - ratio.coverage();
            assertThat(pValue(logs, Math.log(ratio.low() + inside))).as(how).isGreaterThan(level + 1e-9);
            assertThat(pValue(logs, Math.log(ratio.high() - inside))).as(how).isGreaterThan(level + 1e-9);
            assertThat(pValue(logs, Math.log(ratio.low() - inside))).as(how).isLessThanOrEqualTo(level + 1e-9);
            assertThat(pValue(logs, Math.log(ratio.high() + inside))).as(how).isLessThanOrEqualTo(level + 1e-9);
        }
    }

    /** And commons-statistics accepts at the ends what the interval holds. */
    @Test
    void ofLogs_thousandSamples_endsOfCommonsStatistics() {
        Random random = new Random(SEED);
        WilcoxonSignedRankTest test = WilcoxonSignedRankTest.withDefaults().with(PValueMethod.EXACT);
        for (int trial = 0; trial < 1000; trial++) {
            double[] logs = sample(random, 6 + random.nextInt(15), 0.2);
            PairedRatio ratio = ofLogs(logs);
            if (ratio.outliers() == 0) {
                double inside = 1e-9;
                for (double end : new double[] {Math.log(ratio.low()), Math.log(ratio.high())}) {
                    double towards = end < Math.log(ratio.ratio()) ? inside : -inside;
                    String how = "seed=" + SEED + " trial=" + trial;
                    assertThat(p(test, logs, end + towards)).as(how).isGreaterThan(1 - ratio.coverage());
                    assertThat(p(test, logs, end - towards)).as(how).isLessThanOrEqualTo(1 - ratio.coverage() + 1e-9);
                }
            }
        }
    }

    private static double p(WilcoxonSignedRankTest test, double[] logs, double centre) {
        return test.test(Arrays.stream(logs).map(log -> log - centre).toArray()).getPValue();
    }

    /** Slow forks of one side move a median and a mean, not the bulk. */
    @Test
    void ofLogs_quarterOfOneSideSlow_estimateStays() {
        Random random = new Random(SEED);
        double[] ours = sample(random, 40, 0.03);
        double[] theirs = sample(random, 40, 0.03);
        double before = PairedRatio.ofLogs(ours, theirs, PairedRatio.WISHED).ratio();
        for (int i = 0; i < ours.length; i += 4) {
            ours[i] -= 0.3 + random.nextDouble();
        }
        PairedRatio after = PairedRatio.ofLogs(ours, theirs, PairedRatio.WISHED);
        assertThat(after.ratio()).as("seed=%d", SEED).isEqualTo(before, within(0.02));
        assertThat(after.outliers()).as("seed=%d", SEED).isBetween(10, 11);
        assertThat(after.n()).isEqualTo(40);
    }

    /** If most forks of one side are slow, the others are not taken for outliers. */
    @Test
    void ofLogs_mostOfOneSideSlow_wholeRange() {
        Random random = new Random(SEED);
        double[] ours = sample(random, 29, 0.03);
        for (int i = 0; i < 16; i++) {
            ours[i] -= 0.5 + 0.1 * random.nextDouble();
        }
        PairedRatio ratio = PairedRatio.ofLogs(ours, sample(random, 29, 0.03), 0.9999);
        assertThat(ratio.outliers()).as("seed=%d", SEED).isZero();
        assertThat(ratio.high()).as("seed=%d", SEED).isGreaterThan(1);
        assertThat(ratio.low()).as("seed=%d", SEED).isLessThan(0.6);
    }

    @Test
    void ofLogs_scoresOfOneValue_allCount() {
        double[] few = new double[12];
        few[0] = 1;
        few[1] = -1;
        assertThat(ofLogs(few).outliers())
                .as("half of the pairs are equal: no scale")
                .isZero();
        assertThat(ofLogs(sample(new Random(SEED), 12, 0.1)).outliers()).isZero();
    }

    @Test
    void shownPercent_interval_nearestEnd() {
        assertThat(new PairedRatio(9, 1.2, 1.1, 1.3, 0.96, 0, 0).shownPercent()).isEqualTo(10, within(1e-9));
        assertThat(new PairedRatio(9, 0.8, 0.7, 0.9, 0.96, 0, 0).shownPercent()).isEqualTo(100 / 9.0, within(1e-9));
        assertThat(new PairedRatio(9, 1.1, 0.9, 1.3, 0.96, 0, 0).shownPercent()).isZero();
        assertThat(new PairedRatio(3, 1.2, 1.1, 1.3, 0.75, 0, 0).shownPercent())
                .as("too few pairs")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 10})
    void ofLogs_manyRuns_coverageIsWhatItSays(int n) {
        Random random = new Random(SEED);
        int runs = 20_000;
        int holds = 0;
        double coverage = 0;
        for (int run = 0; run < runs; run++) {
            PairedRatio ratio = ofLogs(sample(random, n, 0.1));
            coverage = ratio.coverage();
            holds += ratio.low() <= 1 && 1 <= ratio.high() ? 1 : 0;
        }
        assertThat(holds / (double) runs).as("seed=%d", SEED).isEqualTo(coverage, within(0.01));
    }

    @Test
    void ofLogs_anySample_estimateInsideAndSwapInverts() {
        Random random = new Random(SEED);
        for (int trial = 0; trial < 500; trial++) {
            double[] logs = sample(random, 1 + random.nextInt(20), 0.5);
            PairedRatio there = ofLogs(logs);
            PairedRatio back = ofLogs(Arrays.stream(logs).map(log -> -log).toArray());
            String how = "seed=" + SEED + " trial=" + trial;
            assertThat(there.ratio()).as(how).isBetween(there.low(), there.high());
            assertThat(back.ratio()).as(how).isEqualTo(1 / there.ratio(), within(1e-9));
            assertThat(back.low()).as(how).isEqualTo(1 / there.high(), within(1e-9));
        }
    }

    /** Against a side that never varies. */
    private static PairedRatio ofLogs(double[] logs) {
        return PairedRatio.ofLogs(logs, new double[logs.length], PairedRatio.WISHED);
    }

    /** Two-sided p of the signed-rank test that the centre is {@code centre}, by counting sign flips. */
    private static double pValue(double[] logs, double centre) {
        int n = logs.length;
        Integer[] order = new Integer[n];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Double.compare(Math.abs(logs[a] - centre), Math.abs(logs[b] - centre)));
        int observed = 0;
        for (int rank = 1; rank <= n; rank++) {
            observed += logs[order[rank - 1]] > centre ? rank : 0;
        }
        int extreme = Math.min(observed, n * (n + 1) / 2 - observed);
        int atMost = 0;
        for (int signs = 0; signs < 1 << n; signs++) {
            int sum = 0;
            for (int rank = 1; rank <= n; rank++) {
                sum += (signs >> (rank - 1) & 1) * rank;
            }
            atMost += sum <= extreme ? 1 : 0;
        }
        return 2.0 * atMost / (1 << n);
    }

    private static double[] sample(Random random, int n, double deviation) {
        double[] logs = new double[n];
        Arrays.setAll(logs, i -> deviation * random.nextGaussian());
        return logs;
    }
}
