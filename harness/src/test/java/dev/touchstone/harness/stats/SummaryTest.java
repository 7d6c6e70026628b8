package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void of_oddAndEvenCounts_medianInTheMiddle() {
        assertThat(Summary.of(List.of(3.0, 1.0, 2.0)).median()).isEqualTo(2);
        assertThat(Summary.of(List.of(4.0, 1.0, 2.0, 3.0)).median()).isEqualTo(2.5);
    }

    @Test
    void of_spread_isTheFarthestFork() {
        Summary summary = Summary.of(List.of(90.0, 100.0, 125.0));
        assertThat(summary).isEqualTo(new Summary(3, 100, 90, 125, 25));
    }

    @Test
    void of_oneFork_hasNoSpread() {
        assertThat(Summary.of(List.of(7.0)).spreadPercent()).isNaN();
    }

    @Test
    void of_nothing_isRefused() {
        assertThatThrownBy(() -> Summary.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
