package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBrakeTest {
    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();
    private final MemoryBrake brake = new MemoryBrake(new Progress() {
        @Override
        public long appliedIndex() {
            return applied.get();
        }

        @Override
        public long committedIndex() {
            return committed.get();
        }
    });

    private long waitedMillis() {
        long start = System.nanoTime();
        brake.awaitRoom();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Test
    void awaitRoom_entriesThatCannotBeApplied_doesNotWait() {
        brake.appended(1, MemoryBrake.MAX_BYTES);
        brake.appended(2, MemoryBrake.MAX_BYTES);
        assertThat(waitedMillis()).isLessThan(500);
    }

    @Test
    void awaitRoom_entriesThatAreNotApplied_waitsForAWhile() {
        brake.appended(1, MemoryBrake.MAX_BYTES + 1);
        committed.set(1);
        assertThat(waitedMillis()).isGreaterThan(900);
    }

    @Test
    void awaitRoom_entriesAreAppliedMeanwhile_returns() throws InterruptedException {
        brake.appended(1, MemoryBrake.MAX_BYTES);
        brake.appended(2, 1);
        committed.set(2);
        Thread applying = new Thread(() -> applied.set(1));
        applying.start();
        assertThat(waitedMillis()).isLessThan(900);
        applying.join();
    }
}
