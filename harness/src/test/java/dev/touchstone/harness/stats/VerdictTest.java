package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    @ParameterizedTest
    @CsvSource({
        "1.20, 1.10, 1.30, 0.001, FASTER",
        "0.80, 0.70, 0.90, 0.001, SLOWER",
        "0.80, 0.70, 0.90, 0.010, UNKNOWN",
        "1.02, 1.01, 1.025, 0.001, SAME",
        "0.98, 0.975, 0.99, 0.001, SAME",
        "1.00, 0.95, 1.05, 0.9, UNKNOWN",
    })
    void of_ratioAndP_judgesEffectAndInterval(double ratio, double low, double high, double p, Verdict expected) {
        assertThat(Verdict.of(new PairedRatio(12, ratio, low, high, 0.96, p), p, 3, 3))
                .isEqualTo(expected);
    }

    @Test
    void of_tooFewPairs_neverSame() {
        assertThat(Verdict.of(new PairedRatio(1, 1, 1, 1, 0, 1), 1, 3, 3)).isEqualTo(Verdict.UNKNOWN);
        assertThat(Verdict.of(new PairedRatio(5, 1, 1, 1, 0.93, 1), 1, 3, 3)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void adjusted_knownExample_isHolms() {
        assertThat(Holm.adjusted(new double[] {0.01, 0.04, 0.03, 0.005}))
                .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, offset(1e-12));
        assertThat(Holm.adjusted(new double[0])).isEmpty();
        assertThat(Holm.adjusted(new double[] {0.9, 0.8})).containsExactly(1, 1);
    }

    @ParameterizedTest
    @CsvSource({"7, 0", "8, 1", "10, 5", "12, 20"})
    void most_pairs_carryAsManyAsTheClearestCouldPass(int pairs, int tests) {
        assertThat(Holm.most(pairs, Verdict.LEVEL)).isEqualTo(tests);
    }

    /** At level 0.01 over families of 10 without any effect, at most about one family in a hundred has a false verdict. */
    @Test
    void adjusted_noEffects_familyRateHolds() {
        Random random = new Random(20260301);
        int families = 4_000;
        int wrong = 0;
        for (int family = 0; family < families; family++) {
            double[] p = new double[10];
            for (int i = 0; i < p.length; i++) {
                p[i] = PairedRatio.ofLogs(random.doubles(12, -0.5, 0.5).toArray())
                        .p();
            }
            double smallest = Arrays.stream(Holm.adjusted(p)).min().orElse(1);
            wrong += smallest < Verdict.LEVEL ? 1 : 0;
        }
        assertThat(wrong / (double) families).as("seed=20260301").isLessThan(0.015);
    }
}
