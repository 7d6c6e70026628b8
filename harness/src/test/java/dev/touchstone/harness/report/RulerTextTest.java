package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.Forks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulerTextTest {
    @ParameterizedTest
    @CsvSource({
        "200000, ops/s, In the time of a force of 512 B ours does 10 operations.",
        "0.2, ops/us, In the time of a force of 512 B ours does 10 operations.",
        "100, us/op, An operation of ours takes as long as 2 times a force of 512 B.",
        "0.00005, s/op, An operation of ours takes as long as 1 times a force of 512 B.",
    })
    void beside_rateOrTime_countsThePiecesOfWork(double score, String unit, String expected) {
        assertThat(RulerText.beside(score, unit, ReferenceLoad.Kind.FORCE, 50)).contains(expected);
    }

    @Test
    void beside_otherUnit_isEmpty() {
        assertThat(RulerText.beside(1, "B/op", ReferenceLoad.Kind.CPU, 50)).isEmpty();
    }

    @Test
    void median_forks_leavesOutThoseThatDidNotMeasure() {
        assertThat(RulerText.median(
                        List.of(
                                Forks.of("w").score(1),
                                Forks.of("w")
                                        .ruler(new ReferenceLoad(1, 2, -1, 4))
                                        .score(1),
                                Forks.of("w")
                                        .ruler(new ReferenceLoad(1, 2, 30, 4))
                                        .score(1)),
                        ReferenceLoad.Kind.FORCE))
                .contains(30.0);
        assertThat(RulerText.median(List.of(Forks.of("w").score(1)), ReferenceLoad.Kind.FORCE))
                .isEmpty();
    }
}
