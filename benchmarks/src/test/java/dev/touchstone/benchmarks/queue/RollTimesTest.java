package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RollTimesTest {

    private static final int FILE = 100;

    private final RollTimes times = new RollTimes();

    @Test
    void pauses_rollsTakeLonger_inMedianAppends() {
        for (int file = 0; file < 5; file++) {
            appendFile(300 + 100L * file, 100);
        }
        assertThat(times.rolls()).isEqualTo(5);
        assertThat(times.rollPause()).isEqualTo(5);
        assertThat(times.worstRollPause()).isEqualTo(7);
        assertThat(times.midFilePause()).isEqualTo(1);
    }

    @Test
    void pauses_whatFollowsARollTakesLonger_isCounted() {
        appendFile(100, 400);
        appendFile(100, 400);
        assertThat(times.rollPause()).isEqualTo(4);
    }

    @Test
    void pauses_noRoll_zero() {
        times.add(100, false);
        assertThat(times.rollPause()).isZero();
        assertThat(times.worstRollPause()).isZero();
        assertThat(times.midFilePause()).isZero();
    }

    @Test
    void pauses_nothing_zero() {
        assertThat(times.rollPause()).isZero();
        assertThat(times.rolls()).isZero();
    }

    private void appendFile(long rolling, long following) {
        times.add(rolling, true);
        times.add(following, false);
        for (int i = 2; i < FILE; i++) {
            times.add(100, false);
        }
    }
}
