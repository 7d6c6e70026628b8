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
            assertThat(pool.enter("one")).isTrue();
            assertThat(pool.execute("one", this::await)).isNotNull();
        }
        assertThat(pool.enter("one")).isFalse();
        gate.countDown();
        assertThat(ran.take()).startsWith("price-explain");
        while (!pool.enter("one")) { // the place is given back a little later than the task has run
            Thread.onSpinWait();
        }
    }

    @Test
    void withdraw_whileTheTaskWaits_givesThePlaceBackOnce() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.enter("one")).isTrue();
        WorkerPool.Ticket first = Objects.requireNonNull(pool.execute("one", () -> {
            begun.countDown();
            await();
        }));
        begun.await();
        List<WorkerPool.Ticket> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThat(pool.enter("one")).isTrue();
            waiting.add(Objects.requireNonNull(pool.execute("one", () -> ran.add("never"))));
        }
        assertThat(first.withdraw()).isFalse();
        for (WorkerPool.Ticket each : waiting) {
            assertThat(each.withdraw()).isTrue();
            assertThat(each.withdraw()).isFalse();
        }
        assertThat(pool.enter("one")).isTrue();
        assertThat(pool.enter("one")).isTrue();
        assertThat(pool.enter("one")).isFalse();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        assertThat(ran).isEmpty();
    }

    @Test
    void executeFurther_takesNoPlace() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.enter("one")).isTrue();
        assertThat(pool.execute("one", () -> {
                    begun.countDown();
                    await();
                }))
                .isNotNull();
        begun.await();
        for (int i = 0; i < 10; i++) {
            WorkerPool.Ticket part = Objects.requireNonNull(pool.executeFurther("one", () -> ran.add("never")));
            assertThat(part.withdraw()).isTrue();
            assertThat(part.withdraw()).isFalse();
        }
        assertThat(pool.enter("one")).isTrue();
        assertThat(pool.enter("one")).isTrue();
        assertThat(pool.enter("one")).isFalse();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        pool.stop();
        assertThat(pool.executeFurther("one", this::await)).isNull();
    }

    @Test
    void execute_afterStop_givesThePlaceBack() {
        pool.stop();
        for (int i = 0; i < 10; i++) {
            assertThat(pool.enter("one")).isTrue();
            assertThat(pool.execute("one", this::await)).isNull();
        }
    }

    /** Has the pool's thread wait for the gate. */
    private void block() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.enter("other")).isTrue();
        assertThat(pool.execute("other", () -> {
                    begun.countDown();
                    await();
                }))
                .isNotNull();
        begun.await();
    }

    @Test
    void tasks_ofTwoClients_runInTurns() throws InterruptedException {
        block();
        for (int i = 1; i <= 4; i++) {
            assertThat(pool.executeFurther("one", adding("one " + i))).isNotNull();
        }
        for (int i = 1; i <= 2; i++) {
            assertThat(pool.executeFurther("two", adding("two " + i))).isNotNull();
        }
        assertThat(pool.clients()).isEqualTo(3);
        gate.countDown();
        ran.take(); // the task of the other client
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            order.add(ran.take());
        }
        assertThat(order).containsExactly("one 1", "two 1", "one 2", "two 2", "one 3", "one 4");
        while (pool.clients() > 0) { // the last one leaves a little later than its task has run
            Thread.onSpinWait();
        }
    }

    private Runnable adding(String name) {
        return () -> ran.add(name);
    }

    @Test
    void taskOfAClientThatHadNone_runsBeforeThoseThatHaveWaitedForTheirTurn() throws InterruptedException {
        block();
        for (int i = 1; i <= 100; i++) {
            assertThat(pool.executeFurther("one", adding("one"))).isNotNull();
        }
        WorkerPool.Ticket withdrawn = Objects.requireNonNull(pool.executeFurther("one", adding("never")));
        assertThat(withdrawn.withdraw()).isTrue();
        assertThat(pool.executeFurther("two", adding("two"))).isNotNull();
        gate.countDown();
        ran.take();
        assertThat(ran.take()).isEqualTo("one");
        assertThat(ran.take()).isEqualTo("two");
    }

    @Test
    void tasksOfAClientThatComesLater_alternateWithThoseThatWait() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            assertThat(pool.executeFurther("one", adding("before"))).isNotNull();
        }
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(pool.executeFurther("one", () -> {
                    begun.countDown();
                    await();
                }))
                .isNotNull();
        begun.await();
        for (int i = 1; i <= 3; i++) {
            assertThat(pool.executeFurther("one", adding("one " + i))).isNotNull();
        }
        for (int i = 1; i <= 3; i++) {
            assertThat(pool.executeFurther("two", adding("two " + i))).isNotNull();
        }
        gate.countDown();
        for (int i = 0; i < 6; i++) {
            ran.take();
        }
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            order.add(ran.take());
        }
        assertThat(order).containsExactly("two 1", "one 1", "two 2", "one 2", "two 3", "one 3");
    }

    @Test
    void enter_forTheLastPlaces_isForClientsWithoutAnotherRequest() {
        WorkerPool large = new WorkerPool(Route.Pool.SEARCH, new HttpOptions.Workers(1, 23, Duration.ofSeconds(30)));
        try {
            for (int i = 0; i < 21; i++) {
                assertThat(large.enter("one")).isTrue();
            }
            assertThat(large.enter("one")).isFalse();
            assertThat(large.enter("two")).isTrue();
            assertThat(large.enter("two")).isFalse();
            assertThat(large.enter("three")).isTrue();
            assertThat(large.enter("four")).isTrue();
            assertThat(large.enter("five")).isFalse();
        } finally {
            large.stop();
        }
    }
}
