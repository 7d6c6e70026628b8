package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.store.Forks;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    private static final Forks FORK = Forks.of("w");

    @Test
    void screenedRounds_secondStageNotBegun_none() {
        assertThat(Measurement.screenedRounds(6, List.of())).isZero();
        assertThat(Measurement.screenedRounds(6, List.of(FORK.round(5).score(1))))
                .isZero();
    }

    @Test
    void screenedRounds_secondStageBegun_thoseOfTheFirst() {
        assertThat(Measurement.screenedRounds(
                        6, List.of(FORK.round(3).score(1), FORK.round(6).failed("exit=1"))))
                .isEqualTo(4);
    }
}
