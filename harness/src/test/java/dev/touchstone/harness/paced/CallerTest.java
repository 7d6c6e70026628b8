package dev.touchstone.harness.paced;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls every 1 ms on a clock of the test's own. */
class CallerTest {
    private static final long MILLI = 1_000_000;

    private long now = 5 * MILLI;
    private long slept;
    private final Caller caller = new Caller(now, MILLI, () -> now, nanos -> slept += nanos);

    @Test
    void due_firstCallAtOnce_nextAnIntervalLater() {
        assertThat(caller.due()).isTrue();
        now += 10_000;
        caller.ended();
        assertThat(caller.due()).isFalse();
        caller.pause();
        assertThat(slept).as("the thread is awake 100 µs before").isEqualTo(MILLI - 10_000 - 100_000);
        now = 6 * MILLI;
        assertThat(caller.due()).isTrue();
    }

    @Test
    void ended_oneSlowCall_thoseBehindItHaveTheirWaitInTheirTime() {
        now += 10 * MILLI; // the first call takes 10 ms
        caller.ended();
        for (int i = 1; i <= 10; i++) {
            assertThat(caller.due()).isTrue();
            caller.ended(); // takes no time, and was due 10 - i ms ago
        }
        assertThat(caller.due()).isFalse();
        assertThat(List.of(
                        caller.times().nanos().getCountBetweenValues(9 * MILLI, 11 * MILLI),
                        caller.times().nanos().getCountBetweenValues(4 * MILLI + MILLI / 2, 20 * MILLI),
                        caller.times().nanos().getTotalCount()))
                .containsExactly(2L, 6L, 11L);
        assertThat(caller.times().nanos().getMaxValue()).isBetween(10 * MILLI, 10 * MILLI + 10_000);
    }

    @Test
    void stop_callsThatWereDue_enteredWithTheTimeTheyWaited() {
        now += 1_000_000L * MILLI; // the first call took 1000 s
        caller.ended();
        caller.stop();
        assertThat(caller.times().made()).isEqualTo(1);
        assertThat(caller.times().omitted()).isEqualTo(1_000_000);
        assertThat(caller.times().nanos().getTotalCount()).isEqualTo(1_000_001);
        assertThat(caller.times().nanos().getValueAtPercentile(50) / 1e9).isBetween(495.0, 505.0);
    }

    @Test
    void stop_beforeTheNextIsDue_nothingOmitted() {
        now += 10;
        caller.ended();
        caller.stop();
        assertThat(caller.times().omitted()).isZero();
        assertThat(caller.times().nanos().getTotalCount()).isEqualTo(1);
    }
}
