package dev.touchstone.messaging.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many producers and one consumer at a time see what they would see if each call happened at one moment. Lincheck is slow: it changes every
 * class that tests before it have loaded.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MailboxQueueTest {
    private static final int PRODUCERS = 4;
    private static final int ITEMS = 100_000;

    /** The operations. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Subject {
        private final MailboxQueue queue = new MailboxQueue();

        @Operation
        public void offer(@Param(name = "value") int value) {
            queue.offer(value);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Object poll() {
            return queue.poll();
        }

        @Operation(nonParallelGroup = "consumer")
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /** The same, one call after the other. */
    public static final class Sequential {
        private final ArrayDeque<Object> items = new ArrayDeque<>();

        public void offer(int value) {
            items.add(value);
        }

        public @Nullable Object poll() {
            return items.poll();
        }

        public boolean isEmpty() {
            return items.isEmpty();
        }
    }

    private static void check(Options<?, ?> options, int iterations) {
        options.iterations(iterations)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(3)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Sequential.class)
                .check(Subject.class);
    }

    @Test
    void poll_whileManyOffer_takesAllInTheirOrder() throws Exception {
        MailboxQueue queue = new MailboxQueue();
        List<CompletableFuture<Void>> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int producer = i;
            producers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int number = 0; number < ITEMS; number++) {
                            queue.offer(new int[] {producer, number});
                        }
                    },
                    work -> new Thread(work, "producer" + producer).start()));
        }
        int[] next = new int[PRODUCERS];
        for (int taken = 0; taken < PRODUCERS * ITEMS; ) {
            if (!queue.isEmpty()) {
                int[] item = (int[]) requireNonNull(queue.poll());
                assertThat(item[1]).isEqualTo(next[item[0]]++);
                taken++;
            }
        }
        for (CompletableFuture<Void> producer : producers) {
            producer.get();
        }
        assertThat(queue.poll()).isNull();
    }

    @Tag("slow")
    @Test
    void operations_stressed_areLinearizable() {
        check(new StressOptions().invocationsPerIteration(2000), 40);
    }

    @Tag("slow")
    @Test
    void operations_inChosenInterleavings_areLinearizable() {
        check(new ModelCheckingOptions().invocationsPerIteration(500), 20);
    }
}
