package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who waits for elements or for room, and what ends it. Nothing here may depend on a batch's delay, which is a minute. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingTest {
    /** Less than the batch's delay, and more than a busy machine needs. */
    private static final int PROMPT_SECONDS = 40;

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .batch(64, 16 << 10, Duration.ofMinutes(1))
                .codec(Codec.utf8());
    }

    /** A call on a thread of its own. */
    private record Call<V>(FutureTask<V> task, Thread thread) {
        static <V> Call<V> waiting(Callable<V> call) {
            FutureTask<V> task = new FutureTask<>(call);
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            Waits.untilWaiting(thread);
            return new Call<>(task, thread);
        }

        V get() throws InterruptedException, ExecutionException, TimeoutException {
            return task.get(PROMPT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void take_ofAnEmptyQueue_isWokenByAnOffer(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            for (int i = 0; i < 20; i++) {
                Call<String> take = Call.waiting(queue.blocking()::take);
                queue.add("e" + i);
                assertThat(take.get()).isEqualTo("e" + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lease_ofAnEmptyQueue_isWokenByOfferAsyncAndOfferAll(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            QueueCursor<String> cursor = queue.cursor("named");
            Call<Lease<String>> first = Call.waiting(() -> cursor.lease(Duration.ofSeconds(PROMPT_SECONDS)));
            queue.offerAsync("a").toCompletableFuture().get(PROMPT_SECONDS, TimeUnit.SECONDS);
            assertThat(first.get().element()).isEqualTo("a");
            Call<Lease<String>> second = Call.waiting(() -> cursor.lease(Duration.ofSeconds(PROMPT_SECONDS)));
            queue.offerAll(List.of("b", "c"));
            assertThat(second.get().element()).isEqualTo("b");
        }
    }

    @ParameterizedTest
    @EnumSource
    void poll_withATimeout_isWokenByANack(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.add("a");
            Lease<String> lease = requireNonNull(queue.lease());
            Call<String> poll = Call.waiting(() -> queue.poll(Duration.ofSeconds(PROMPT_SECONDS)));
            lease.nack();
            assertThat(poll.get()).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_ofAFullQueueThatBlocks_isWokenByPollAndByAck(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).maxElements(2).open()) {
            queue.addAll(List.of("a", "b"));
            Call<Boolean> offer = Call.waiting(() -> queue.offer("c"));
            assertThat(queue.size()).isEqualTo(2);
            assertThat(queue.poll()).isEqualTo("a");
            assertThat(offer.get()).isTrue();

            Lease<String> lease = requireNonNull(queue.lease());
            Call<Boolean> second = Call.waiting(() -> queue.offer("d"));
            assertThat(queue.size()).isEqualTo(2);
            assertThat(lease.ack()).isTrue();
            assertThat(second.get()).isTrue();
            assertThat(queue).containsExactly("c", "d");
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_ofAFullQueueThatBlocks_isWokenByClearByRemoveAndByADroppedCursor(Durability durability)
            throws Exception {
        try (DiskQueue<String> queue = builder(durability).maxElements(1).open()) {
            queue.add("a");
            Call<Boolean> first = Call.waiting(() -> queue.offer("b"));
            queue.clear();
            assertThat(first.get()).isTrue();
            Call<Boolean> second = Call.waiting(() -> queue.offer("c"));
            assertThat(queue.remove("b")).isTrue();
            assertThat(second.get()).isTrue();
            QueueCursor<String> slow = queue.cursor("slow");
            assertThat(queue.poll()).isEqualTo("c");
            assertThat(slow.longSize()).isEqualTo(1);
            Call<Boolean> third = Call.waiting(() -> queue.offer("d"));
            queue.dropCursor("slow");
            assertThat(third.get()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_thatWaitsAndIsInterrupted_returnsFalseAndKeepsTheInterrupt(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).maxElements(1).open()) {
            queue.add("a");
            Call<Boolean> offer = Call.waiting(() -> {
                boolean stored = queue.offer("b");
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                return stored;
            });
            offer.thread().interrupt();
            assertThat(offer.get()).isFalse();
            assertThat(queue).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_andTake_thatAreInterrupted_throw(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).maxElements(1).open()) {
            Call<String> take = Call.waiting(queue.blocking()::take);
            take.thread().interrupt();
            assertThatThrownBy(take::get).hasCauseInstanceOf(InterruptedException.class);
            queue.add("a");
            Call<Boolean> put = Call.waiting(() -> {
                queue.blocking().put("b");
                return true;
            });
            put.thread().interrupt();
            assertThatThrownBy(put::get).hasCauseInstanceOf(InterruptedException.class);
            assertThat(queue).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void close_whileThreadsWait_endsThem(Durability durability) throws Exception {
        DiskQueue<String> queue = builder(durability).maxElements(1).open();
        Call<String> take = Call.waiting(() -> queue.cursor("named").poll(Duration.ofDays(1)));
        queue.add("a");
        assertThat(take.get()).isEqualTo("a");
        Call<Boolean> offer = Call.waiting(() -> queue.offer("b"));
        Call<String> poll = Call.waiting(() -> queue.cursor("named").poll(Duration.ofDays(1)));
        queue.close();
        assertThatThrownBy(offer::get).hasCauseInstanceOf(QueueClosedException.class);
        assertThatThrownBy(poll::get).hasCauseInstanceOf(QueueClosedException.class);
    }

    @ParameterizedTest
    @EnumSource
    void blocking_ofALimitedQueue_keepsToTheContract(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).maxElements(3).open()) {
            BlockingQueue<String> blocking = queue.blocking();
            assertThat(blocking.remainingCapacity()).isEqualTo(3);
            assertThat(blocking.poll(1, TimeUnit.MILLISECONDS)).isNull();
            blocking.put("a");
            assertThat(blocking.offer("b", 1, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(blocking.remainingCapacity()).isEqualTo(1);
            assertThat(blocking.offer("c")).isTrue();
            assertThat(blocking.remainingCapacity()).isZero();
            assertThat(blocking.offer("d")).isFalse();
            assertThat(blocking.offer("d", 1, TimeUnit.MILLISECONDS)).isFalse();
            assertThatThrownBy(() -> blocking.add("d")).isInstanceOf(IllegalStateException.class);

            List<String> drained = new ArrayList<>();
            assertThat(blocking.drainTo(drained, 0)).isZero();
            assertThat(blocking.drainTo(drained, 2)).isEqualTo(2);
            assertThat(blocking.drainTo(drained)).isEqualTo(1);
            assertThat(blocking.drainTo(drained)).isZero();
            assertThat(drained).containsExactly("a", "b", "c");
            assertThat(blocking.remainingCapacity()).isEqualTo(3);
            blocking.put("a");
            for (Collection<String> itself : List.of(blocking, queue, queue.blocking())) {
                assertThatThrownBy(() -> blocking.drainTo(itself, 100)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(queue).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void blocking_ofAnUnlimitedQueue_neverWaitsForRoom(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            BlockingQueue<String> blocking = queue.blocking();
            assertThat(blocking.remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
            blocking.put("a");
            assertThat(blocking.poll(Long.MAX_VALUE, TimeUnit.DAYS)).isEqualTo("a");
            assertThat(blocking.offer("b", Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
            assertThat(blocking.take()).isEqualTo("b");
        }
    }
}
