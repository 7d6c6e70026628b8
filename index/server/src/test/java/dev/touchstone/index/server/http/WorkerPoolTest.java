package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.api.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private WorkerPool.Ticket enter(Object client) {
        return Objects.requireNonNull(pool.enter(client), "ticket");
    }

    @Test
    void enter_beyondThreadsAndQueue_isRefusedUntilATaskHasRun() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertThat(enter("one").execute(this::await)).isTrue();
        }
        assertThat(pool.enter("one")).isNull();
        gate.countDown();
        assertThat(ran.take()).startsWith("price-explain");
        while (pool.enter("one") == null) { // the place is given back a little later than the task has run
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void withdraw_whileTheTaskWaits_givesThePlaceBackOnce() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        WorkerPool.Ticket first = enter("one");
        assertThat(first.execute(() -> {
                    begun.countDown();
                    await();
                }))
                .isTrue();
        begun.await();
        List<WorkerPool.Ticket> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(enter("one"));
            assertThat(waiting.get(i).execute(() -> ran.add("never"))).isTrue();
        }
        assertThat(first.withdraw()).isFalse();
        for (WorkerPool.Ticket each : waiting) {
            assertThat(each.withdraw()).isTrue();
            assertThat(each.withdraw()).isFalse();
        }
        assertThat(pool.enter("one")).isNotNull();
        assertThat(pool.enter("one")).isNotNull();
        assertThat(pool.enter("one")).isNull();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        assertThat(ran).isEmpty();
    }

    @Test
    void executeFurther_takesNoPlace() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(enter("one").execute(() -> {
                    begun.countDown();
                    await();
                }))
                .isTrue();
        begun.await();
        for (int i = 0; i < 10; i++) {
            WorkerPool.Ticket part = Objects.requireNonNull(pool.executeFurther("one", () -> ran.add("never")));
            assertThat(part.withdraw()).isTrue();
            assertThat(part.withdraw()).isFalse();
        }
        assertThat(pool.enter("one")).isNotNull();
        assertThat(pool.enter("one")).isNotNull();
        assertThat(pool.enter("one")).isNull();
        gate.countDown();
        assertThat(ran.take()).isNotEqualTo("never");
        pool.stop();
        assertThat(pool.executeFurther("one", this::await)).isNull();
    }

    @Test
    void execute_afterStop_givesThePlaceBack() {
        pool.stop();
        for (int i = 0; i < 10; i++) {
            assertThat(enter("one").execute(this::await)).isFalse();
        }
    }

    /** Returns a pool of some threads, of which only a few can be made, as where the machine has no more. */
    private static WorkerPool poolWithout(int threads, int made) {
        AtomicInteger count = new AtomicInteger();
        return new WorkerPool(new HttpOptions.Workers(threads, 2, Duration.ofSeconds(30)), task -> {
            if (count.getAndIncrement() < made) {
                return new Thread(task);
            }
            throw new OutOfMemoryError("on purpose");
        });
    }

    @Test
    void execute_withoutAThread_givesThePlaceBack() {
        WorkerPool none = poolWithout(1, 0);
        for (int i = 0; i < 10; i++) {
            WorkerPool.Ticket ticket = Objects.requireNonNull(none.enter("one"));
            assertThat(ticket.execute(() -> ran.add("never"))).isFalse();
            assertThat(ticket.withdraw()).isFalse();
            assertThat(none.executeFurther("one", () -> ran.add("never"))).isNull();
        }
        assertThat(none.clients()).isZero();
        none.stop();
    }

    @Test
    void execute_whereAFurtherThreadCannotBeStarted_leavesTheTaskToTheOthers() throws InterruptedException {
        WorkerPool one = poolWithout(4, 1);
        for (int i = 0; i < 10; i++) {
            WorkerPool.Ticket ticket = one.enter("one");
            while (ticket == null) { // the place is given back a little later than the task has run
                ticket = one.enter("one");
            }
            assertThat(ticket.execute(() -> ran.add("ran"))).isTrue();
            assertThat(ran.take()).isEqualTo("ran");
        }
        assertThat(one.waiting()).isZero();
        one.stop();
    }

    /** Has the pool's thread wait for the gate. */
    private void block() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(enter("other").execute(() -> {
                    begun.countDown();
                    await();
                }))
                .isTrue();
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
            LockSupport.parkNanos(100_000);
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

    /** Executes a task for each of some clients in turn, whenever the task of the one before runs, and so long as the gate is closed. */
    private void goOn(Iterator<Integer> clients, AtomicInteger count) {
        if (gate.getCount() > 0) {
            count.incrementAndGet();
            pool.executeFurther(clients.next(), () -> goOn(clients, count));
        }
    }

    /** Returns endless clients, of which each comes again after some others. */
    private static Iterator<Integer> clients(int others) {
        return IntStream.iterate(0, i -> (i + 1) % others).iterator();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, WorkerPool.MAX_REMEMBERED - 100, Integer.MAX_VALUE})
    void tasksOfAClient_besideOthersThatHaveOneEach_runWithinARound(int others) throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        Iterator<Integer> clients = clients(others);
        CountDownLatch isFull = new CountDownLatch(1);
        assertThat(pool.executeFurther("first", () -> {
                    awaitQuietly(isFull);
                }))
                .isNotNull();
        goOn(clients, count);
        goOn(clients, count);
        BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
        for (int i = 0; i < 5; i++) {
            assertThat(pool.executeFurther("one", () -> counts.add(count.get())))
                    .isNotNull();
        }
        isFull.countDown();
        int before = counts.take();
        for (int i = 1; i < 5; i++) {
            int next = counts.take();
            assertThat(next - before).isLessThanOrEqualTo(others > WorkerPool.MAX_REMEMBERED ? 4 : others + 2);
            before = next;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void tasksThatAreWithdrawn_costNoTurn() throws InterruptedException {
        block();
        assertThat(pool.executeFurther("one", adding("one 1"))).isNotNull();
        for (int i = 0; i < 1000; i++) {
            assertThat(Objects.requireNonNull(pool.executeFurther("one", adding("never")))
                            .withdraw())
                    .isTrue();
        }
        for (int i = 2; i <= 3; i++) {
            assertThat(pool.executeFurther("one", adding("one " + i))).isNotNull();
        }
        for (int i = 1; i <= 3; i++) {
            assertThat(pool.executeFurther("two", adding("two " + i))).isNotNull();
        }
        assertThat(pool.waiting()).isEqualTo(6);
        gate.countDown();
        ran.take();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            order.add(ran.take());
        }
        assertThat(order).containsExactly("one 1", "two 1", "one 2", "two 2", "one 3", "two 3");
    }

    @Test
    void task_behindAClientThatHasWithdrawnAll_runs() throws InterruptedException {
        block();
        WorkerPool.Ticket withdrawn = Objects.requireNonNull(pool.executeFurther("two", adding("never")));
        assertThat(withdrawn.withdraw()).isTrue();
        assertThat(pool.executeFurther("one", adding("one"))).isNotNull();
        gate.countDown();
        ran.take(); // the task of the other client
        assertThat(ran.take()).isEqualTo("one");
    }

    @Test
    void clients_withoutATask_areForgottenBeyondALimit() throws InterruptedException {
        block();
        for (int i = 0; i < 100_000; i++) {
            assertThat(Objects.requireNonNull(pool.executeFurther(i, adding("never")))
                            .withdraw())
                    .isTrue();
            assertThat(pool.remembered()).isLessThanOrEqualTo(WorkerPool.MAX_REMEMBERED);
        }
        assertThat(pool.clients()).isEqualTo(1);
        for (int i = 0; i < 2 * WorkerPool.MAX_REMEMBERED; i++) {
            assertThat(pool.executeFurther(i, adding("any"))).isNotNull();
        }
        assertThat(pool.clients()).isEqualTo(2 * WorkerPool.MAX_REMEMBERED + 1);
    }

    /** A client that fails when it is looked up, as a map without memory does. */
    private static final class FailingClient {
        private int left;

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            if (left-- == 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return 1;
        }
    }

    @Test
    void enter_thatFails_takesNoPlace() {
        FailingClient client = new FailingClient();
        for (int i = 0; i < 20; i++) {
            client.left = i;
            try {
                assertThat(enter(client).execute(() -> ran.add("ran"))).isTrue();
            } catch (OutOfMemoryError e) {
                assertThat(e).hasMessage("on purpose");
                continue;
            }
            while (pool.clients() > 0) { // the last one leaves a little later than its task has run
                LockSupport.parkNanos(100_000);
            }
        }
        for (int i = 0; i < 3; i++) {
            enter("one");
        }
        assertThat(pool.enter("one")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "7, 0", "8, 1", "9, 1", "15, 1", "16, 2", "1025, 128"})
    void enter_forTheLastEighth_isForClientsWithoutAnotherRequest(int places, int kept) {
        WorkerPool some =
                new WorkerPool(Route.Pool.SEARCH, new HttpOptions.Workers(1, places - 1, Duration.ofSeconds(30)));
        try {
            for (int i = 0; i < places - kept; i++) {
                assertThat(some.enter("one")).isNotNull();
            }
            assertThat(some.enter("one")).isNull();
            List<WorkerPool.Ticket> others = new ArrayList<>();
            for (int i = 0; i < kept; i++) {
                others.add(Objects.requireNonNull(some.enter(i)));
                assertThat(some.enter(i)).isNull();
            }
            assertThat(some.enter("another")).isNull();
            for (WorkerPool.Ticket other : others) {
                assertThat(other.withdraw()).isTrue();
                assertThat(other.withdraw()).isFalse();
            }
            assertThat(some.enter("one")).isNull();
            assertThat(some.enter(0) != null).isEqualTo(kept > 0); // it is known, and has no request
        } finally {
            some.stop();
        }
    }
}
