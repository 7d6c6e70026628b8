package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    @ParameterizedTest
    @CsvSource({
        "1.04, 1.30, 3, 5, FASTER",
        "0.70, 0.96, 3, 5, SLOWER",
        "0.70, 0.98, 3, 5, UNKNOWN",
        "1.01, 1.045, 3, 5, SAME",
        "0.96, 1.04, 3, 5, SAME",
        "0.94, 1.01, 3, 5, UNKNOWN",
        "0.94, 1.01, 3, 8, SAME",
        "1.04, 1.06, 3, 8, FASTER",
        "1.06, 1.08, 10, 5, UNKNOWN",
    })
    void of_interval_floorBeforeMargin(double low, double high, double floor, double margin, Verdict expected) {
        PairedRatio ratio = new PairedRatio(12, Math.sqrt(low * high), low, high, 0.995, 0, 0.1);
        assertThat(Verdict.of(ratio, 0.005, floor, margin)).isEqualTo(expected);
        assertThat(Verdict.of(ratio, 0.001, floor, margin))
                .as("covers too little for this error")
                .isEqualTo(Verdict.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"1, 40, 12", "20, 40, 15", "100, 40, 18", "1, 8, 8", "20, 6, 6"})
    void first_cellsAndPairs_isTheFewestThatCanDecide(int cells, int pairs, int expected) {
        assertThat(Looks.of(cells, pairs).first()).isEqualTo(expected);
    }

    /** All looks together spend the error of the cell, whether the run ends early or not. */
    @Test
    void error_allLooks_sumIsTheCells() {
        Looks looks = Looks.of(20, 40);
        int last = looks.rounds().size() - 1;
        assertThat(looks.rounds()).isSorted().endsWith(40);
        assertThat(looks.error()).isEqualTo(Looks.NIGHT_ERROR / 3 / 20, within(1e-15));
        assertThat(IntStream.rangeClosed(0, last).mapToDouble(looks::error).sum())
                .isEqualTo(looks.error(), within(1e-15));
        for (int end = 0; end <= last; end++) {
            double spent = IntStream.range(0, end).mapToDouble(looks::error).sum();
            assertThat(spent + looks.rest(end)).as("end=%d", end).isEqualTo(looks.error(), within(1e-15));
        }
        assertThat(Looks.once(4).rest(0)).isEqualTo(Looks.NIGHT_ERROR / 3 / 4, within(1e-15));
    }

    @Test
    void describe_spread_namesPowerAndPairs() {
        assertThat(Power.describe(0.07, 3, 0.0005, 40))
                .startsWith("spread 7.0 % a pair: 40 pairs show 10 % with a probability of 0.9")
                .contains("; 5 % needs about 3");
        assertThat(Power.of(0.01, 20, 3, 0.0005, 10))
                .as("10 pairs can't decide")
                .isZero();
    }
}
