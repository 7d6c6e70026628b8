package dev.touchstone.queue.log.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for what another thread is about to do. */
class PauseTest {
    private static final int MANY = 10_000;

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pause_ofAnInterruptedThread_blocksAndKeepsTheInterrupt() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        AtomicBoolean kept = new AtomicBoolean();
        Thread waiter = new Thread(() -> {
            Thread.currentThread().interrupt();
            while (!done.get()) {
                Pause.after(MANY);
            }
            kept.set(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        try {
            while (waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        } finally {
            done.set(true);
            waiter.join();
        }
        assertThat(kept).isTrue();
    }
}
