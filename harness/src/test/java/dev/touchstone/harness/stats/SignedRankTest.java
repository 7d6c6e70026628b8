package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedRankTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 12, 16})
    void probabilities_everySignFlipped_equalTheCounts(int n) {
        double[] counts = new double[n * (n + 1) / 2 + 1];
        for (int signs = 0; signs < 1 << n; signs++) {
            int sum = 0;
            for (int rank = 1; rank <= n; rank++) {
                sum += (signs >> (rank - 1) & 1) * rank;
            }
            counts[sum]++;
        }
        double[] expected = Arrays.stream(counts).map(count -> count / (1 << n)).toArray();
        assertThat(SignedRank.probabilities(n)).containsExactly(expected, within(1e-15));
    }

    @ParameterizedTest
    @CsvSource({"2, 0.5", "3, 0.75", "5, 0.9375", "6, 0.96875", "10, 0.998046875"})
    void coverage_wholeRange_isOneLessTwoTails(int n, double coverage) {
        assertThat(SignedRank.coverage(SignedRank.probabilities(n), 1)).isEqualTo(coverage, within(1e-12));
    }
}
