package dev.touchstone.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class MetronomeTest {

    private static final long INTERVAL = 1_000_000;

    private final List<Long> slept = new ArrayList<>();
    private long now;

    private final Metronome metronome = new Metronome(5 * INTERVAL, INTERVAL, () -> now += 100, nanos -> {
        slept.add(nanos);
        now += nanos;
    });

    @Test
    void await_early_sleepsUntilShortlyBeforeAndIsNeverEarly() {
        assertThat(metronome.await()).isEqualTo(5 * INTERVAL);
        assertThat(now).isBetween(5 * INTERVAL, 5 * INTERVAL + 100);
        assertThat(slept).hasSize(1);
        assertThat(slept.get(0)).isBetween(4 * INTERVAL, 5 * INTERVAL - 1);
    }

    @Test
    void await_afterASlowCall_isDueWhenItWouldHaveBeen() {
        metronome.await();
        now += 10 * INTERVAL;
        slept.clear();
        long late = now;
        for (int call = 1; call <= 10; call++) {
            assertThat(metronome.await()).isEqualTo((5 + call) * INTERVAL);
        }
        assertThat(now).isLessThan(late + INTERVAL);
        assertThat(slept).isEmpty();
        assertThat(metronome.await()).isEqualTo(16 * INTERVAL);
        assertThat(now).isGreaterThanOrEqualTo(16 * INTERVAL);
    }
}
