package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.api.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerPoolTest {
    private static final HttpOptions.Workers SMALL = new HttpOptions.Workers(1, 2, Duration.ofSeconds(30));

    private final WorkerPool pool = new WorkerPool(Route.Pool.EXPLAIN, SMALL);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        gate.countDown();
        pool.stop();
    }

    private void await() {
        try {
            gate.await();
            ran.add(Thread.currentThread().getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void enter_beyondThreadsAndQueue_isRefusedUntilATaskHasRun() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertThat(pool.enter()).isTrue();
            assertThat(pool.execute(this::await)).isNotNull();
        }
        assertThat(pool.enter()).isFalse();
        gate.countDown();
        assertThat(ran.take()).startsWith("price-explain");
        while (!pool.enter()) { // the place is given back a little later than the task has run
            Thread.onSpinWait();
        }
    }

    @Test
    void withdraw_whileTheTaskWaits_givesThePlaceBackOnce() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.enter()).isTrue();
        WorkerPool.Ticket first = Objects.requireNonNull(pool.execute(() -> {
            begun.countDown();
            await();
        }));
        begun.await();
        List<WorkerPool.Ticket> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThat(pool.enter()).isTrue();
            waiting.add(Objects.requireNonNull(pool.execute(() -> ran.add("never"))));
        }
        assertThat(first.withdraw()).isFalse();
        for (WorkerPool.Ticket each : waiting) {
            assertThat(each.withdraw()).isTrue();
            assertThat(each.withdraw()).isFalse();
        }
        assertThat(pool.enter()).isTrue();
        assertThat(pool.enter()).isTrue();
        assertThat(pool.enter()).isFalse();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        assertThat(ran).isEmpty();
    }

    @Test
    void executeFurther_takesNoPlace() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.enter()).isTrue();
        assertThat(pool.execute(() -> {
                    begun.countDown();
                    await();
                }))
                .isNotNull();
        begun.await();
        for (int i = 0; i < 10; i++) {
            WorkerPool.Ticket part = Objects.requireNonNull(pool.executeFurther(() -> ran.add("never")));
            assertThat(part.withdraw()).isTrue();
            assertThat(part.withdraw()).isFalse();
        }
        assertThat(pool.enter()).isTrue();
        assertThat(pool.enter()).isTrue();
        assertThat(pool.enter()).isFalse();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        pool.stop();
        assertThat(pool.executeFurther(this::await)).isNull();
    }

    @Test
    void execute_afterStop_givesThePlaceBack() {
        pool.stop();
        for (int i = 0; i < 10; i++) {
            assertThat(pool.enter()).isTrue();
            assertThat(pool.execute(this::await)).isNull();
        }
    }
}
