package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangePointsTest {
    private static final long SEED = 20260303;

    /** Twenty series with a step of {@code percent} after {@code before} nights of 2 % noise: found, within a night or two. */
    @ParameterizedTest
    @CsvSource({"30, 30, 5", "40, 20, -8", "20, 40, 10", "10, 10, 20"})
    void of_oneStep_foundWhereItIs(int before, int after, double percent) {
        int near = 0;
        for (int trial = 0; trial < 20; trial++) {
            Random random = new Random(SEED + trial);
            List<Integer> found = ChangePoints.of(series(random, 0.02, before, 1, after, 1 + percent / 100));
            near += found.stream().anyMatch(at -> Math.abs(at - before) <= 2) ? 1 : 0;
            assertThat(found).as("seed=" + (SEED + trial)).hasSizeLessThanOrEqualTo(3);
        }
        assertThat(near).as("seed=" + SEED).isGreaterThanOrEqualTo(18);
    }

    @Test
    void of_twoSteps_bothFound() {
        double[] values = series(new Random(SEED), 0.01, 20, 1, 20, 1.2, 20, 0.9);
        assertThat(ChangePoints.of(values)).containsExactly(20, 40);
    }

    @Test
    void of_noStep_hardlyEverAny() {
        int wrong = 0;
        for (int trial = 0; trial < 100; trial++) {
            wrong += ChangePoints.of(series(new Random(SEED + trial), 0.05, 60, 1))
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat(wrong).as("seed=" + SEED).isLessThanOrEqualTo(4);
    }

    @Test
    void of_outliers_areNoChangeOfLevel() {
        double[] values = series(new Random(SEED), 0.01, 40, 1);
        values[7] *= 3;
        values[25] /= 4;
        assertThat(ChangePoints.of(values)).isEmpty();
    }

    @Test
    void of_fewOrEqualValues_none() {
        assertThat(ChangePoints.of(new double[0])).isEmpty();
        assertThat(ChangePoints.of(new double[] {1, 1, 1, 9, 9, 9})).isEmpty();
        assertThat(ChangePoints.of(new double[50])).isEmpty();
    }

    /** Levels, each {@code [nights, level]}, under log-normal noise. */
    private static double[] series(Random random, double deviation, double... nightsAndLevels) {
        double[] values = new double[0];
        for (int i = 0; i < nightsAndLevels.length; i += 2) {
            int from = values.length;
            values = Arrays.copyOf(values, from + (int) nightsAndLevels[i]);
            for (int at = from; at < values.length; at++) {
                values[at] = Math.log(nightsAndLevels[i + 1]) + deviation * random.nextGaussian();
            }
        }
        return values;
    }
}
