package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerTurnTest {
    private static final long STEP = 1_000;

    private long now;
    private long away; // time that a yield takes
    private int yields;

    private void yieldOnce() {
        yields++;
        now += away;
    }

    private void work(WorkerTurn turn, long nanos) {
        for (long left = nanos; left > 0; left -= STEP) {
            now += STEP;
            turn.pass();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 3 * WorkerTurn.NANOS, Long.MIN_VALUE})
    void pass_aloneOnItsProcessor_yieldsAfterEachTurn(long begin) {
        now = begin;
        WorkerTurn turn = new WorkerTurn(() -> now, this::yieldOnce);
        work(turn, WorkerTurn.NANOS - STEP);
        assertThat(yields).isZero();
        work(turn, STEP);
        assertThat(yields).isEqualTo(1);
        work(turn, 9 * WorkerTurn.NANOS);
        assertThat(yields).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 3_000_000, 50_000_000})
    void pass_besideThreadsThatTakeLong_worksLonger(long slice) {
        WorkerTurn turn = new WorkerTurn(() -> now, this::yieldOnce);
        away = slice;
        long longer = Math.min(WorkerTurn.MAX_NANOS, slice / 2);
        work(turn, WorkerTurn.NANOS + 9 * longer);
        assertThat(yields).isEqualTo(10);
        away = 0;
        work(turn, longer);
        int before = yields;
        work(turn, 10 * WorkerTurn.NANOS);
        assertThat(yields - before).isEqualTo(10);
    }
}
