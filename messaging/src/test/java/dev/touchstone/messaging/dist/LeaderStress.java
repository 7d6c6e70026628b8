package dev.touchstone.messaging.dist;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a queue publishes, and who wakes whom at a leader. Run by {@code LeaderStressTest} and {@code scripts/messaging-stress}. */
public final class LeaderStress {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final ReceiveLeader LEADER =
            leader(); // one: it has file descriptors, and there are very many states

    private LeaderStress() {}

    private static ReceiveLeader leader() {
        try {
            ReceiveLeader leader = new ReceiveLeader("leader", 0, TimeUnit.HOURS.toNanos(1), () -> {}, e -> {});
            leader.start();
            return leader;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Item {
        int value; // plain: published by the queue

        Item(int value) {
            this.value = value;
        }
    }

    private static int value(@Nullable Object item) {
        return item == null ? 0 : ((Item) item).value;
    }

    private static int take(Box box) {
        try {
            return value(box.take(MAX_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** An item is seen whole, and after those that its producer put before. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "the oldest, or nothing yet")
    @Outcome(expect = FORBIDDEN, desc = "not whole, overtaken or lost")
    @State
    public static class QueuePublication {
        private final MailboxQueue queue = new MailboxQueue();

        @Actor
        public void producer() {
            queue.offer(new Item(1));
            queue.offer(new Item(2));
        }

        @Actor
        public void consumer(II_Result result) {
            result.r1 = value(queue.poll());
            result.r2 = value(queue.poll());
        }
    }

    /** Of two producers nobody's item is lost. */
    @JCStressTest
    @Outcome(
            id = {"1, 2, 0", "2, 1, 0"},
            expect = ACCEPTABLE,
            desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "lost, or twice")
    @State
    public static class QueueProducers {
        private final MailboxQueue queue = new MailboxQueue();

        @Actor
        public void first() {
            queue.offer(new Item(1));
        }

        @Actor
        public void second() {
            queue.offer(new Item(2));
        }

        @Arbiter
        public void consumer(III_Result result) {
            result.r1 = value(queue.poll());
            result.r2 = value(queue.poll());
            result.r3 = value(queue.poll());
        }
    }

    /** What a thread did before it put an item is seen by whoever then finds the queue not empty. */
    @JCStressTest
    @Outcome(
            id = {"0", "1"},
            expect = ACCEPTABLE,
            desc = "empty, or the item is there")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "not empty, and nothing there")
    @State
    public static class QueueEmptiness {
        private final MailboxQueue queue = new MailboxQueue();

        @Actor
        public void producer() {
            queue.offer(new Item(1));
        }

        @Actor
        public void consumer(I_Result result) {
            boolean empty = queue.isEmpty();
            int value = value(queue.poll());
            result.r1 = empty || value != 0 ? value : -1;
        }
    }

    /** Who waits, as leader or as follower of the background thread, is woken by an item. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken, or never slept")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept until the deadline")
    @State
    public static class WakeUp {
        private final Box box = new Box(LEADER);

        @Actor
        public void sender() {
            box.put(new Item(1));
        }

        @Actor
        public void receiver(I_Result result) {
            result.r1 = take(box);
        }
    }

    /** Of two that wait the leader leaves with its item, and the other, asked to lead or not, gets its own. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "both woken")
    @Outcome(expect = FORBIDDEN, desc = "slept until the deadline")
    @State
    public static class HandOver {
        private final Box first = new Box(LEADER);
        private final Box second = new Box(LEADER);

        @Actor
        public void one(II_Result result) {
            second.put(new Item(2));
            result.r1 = take(first);
        }

        @Actor
        public void other(II_Result result) {
            first.put(new Item(1));
            result.r2 = take(second);
        }
    }
}
