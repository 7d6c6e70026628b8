package dev.touchstone.harness.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogAxisTest {
    @Test
    void at_ends_leaveAMargin() {
        LogAxis axis = LogAxis.covering(List.of(1.0, 10.0, 100.0));
        assertThat(axis.at(1)).isEqualTo(8, within(1e-9));
        assertThat(axis.at(10)).isEqualTo(50, within(1e-9));
        assertThat(axis.at(100)).isEqualTo(92, within(1e-9));
        assertThat(axis.at(1e9)).isEqualTo(92, within(1e-9));
    }

    @Test
    void covering_oneValueOrNone_stillHasWidth() {
        assertThat(LogAxis.covering(List.of(7.0)).at(7)).isEqualTo(50, within(1e-9));
        assertThat(LogAxis.covering(List.of()).at(1)).isEqualTo(50, within(1e-9));
    }

    @Test
    void ticks_anySpan_oneToSixWithinTheAxis() {
        for (double low = 1e-6; low < 1e6; low *= 3.7) {
            for (double span = 1.5; span < 1e9; span *= 1.9) {
                LogAxis axis = LogAxis.covering(List.of(low, low * span));
                assertThat(axis.ticks())
                        .hasSizeBetween(1, 6)
                        .isSorted()
                        .allMatch(tick -> tick >= axis.low() * 0.999 && tick <= axis.high() * 1.001);
            }
        }
    }
}
