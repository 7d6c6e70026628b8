package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.engine.CallQueue.Answer;
import dev.touchstone.messaging.engine.CallQueue.Call;
import dev.touchstone.messaging.term.Atom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of many peers on the threads of one node. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallQueueTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private static final int THREADS = 16;
    private static final Atom BAD = Atom.of("bad");
    private static final Atom GOOD = Atom.of("good");

    private final CallQueue queue = new CallQueue("test");
    private final AtomicInteger refused = new AtomicInteger();

    @AfterEach
    void stop() {
        queue.close();
    }

    private Call call(long bytes, Runnable work) {
        return new Call(
                bytes,
                false,
                () -> {
                    work.run();
                    return null;
                },
                refused::incrementAndGet);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException endOfTheTest) {
            Thread.currentThread().interrupt();
        }
    }

    @RepeatedTest(5)
    void calls_ofManyPeers_runOnceAndAreAnsweredOnce() {
        long seed = SEEDS.getAndIncrement();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        int peers = 8;
        int each = 500;
        AtomicIntegerArray ran = new AtomicIntegerArray(peers * each);
        AtomicIntegerArray answered = new AtomicIntegerArray(peers * each);
        AtomicInteger inTurn = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        int thrown = 0;
        for (int i = 0; i < peers * each; i++) {
            int number = i;
            boolean isInTurn = random.nextInt(4) == 0;
            boolean throwsError = random.nextInt(50) == 0;
            boolean findsRoom = random.nextInt(10) > 0;
            Answer answer = wait -> {
                if (wait || findsRoom) {
                    answered.incrementAndGet(number);
                }
                return wait || findsRoom;
            };
            Call call = new Call(
                    1,
                    isInTurn,
                    () -> {
                        if (isInTurn && inTurn.getAndIncrement() > 0) {
                            overlaps.incrementAndGet();
                        }
                        Thread.yield();
                        ran.incrementAndGet(number);
                        if (isInTurn) {
                            inTurn.decrementAndGet();
                        }
                        if (throwsError) {
                            throw new StackOverflowError("on purpose");
                        }
                        return answer;
                    },
                    () -> {
                        refused.incrementAndGet();
                        answered.incrementAndGet(number);
                    });
            thrown += throwsError ? 1 : 0;
            queue.add(Atom.of("peer" + i % peers), call);
        }
        Nodes.await("all are done", queue::isIdle);
        assertThat(overlaps).hasValue(0);
        assertThat(refused).as("seed=%d", seed).hasValue(thrown);
        for (int i = 0; i < peers * each; i++) {
            assertThat(ran.get(i)).as("call=%d seed=%d", i, seed).isEqualTo(1);
            assertThat(answered.get(i)).as("call=%d seed=%d", i, seed).isEqualTo(1);
        }
    }

    @Test
    void answers_withoutRoom_stopTheCallsOfTheirPeerOnlyAndKeepTheirOrder() {
        CountDownLatch room = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        List<Integer> sent = new ArrayList<>();
        int calls = 200;
        for (int i = 0; i < calls; i++) {
            Answer answer = wait -> {
                if (wait) {
                    await(room);
                    sent.add(sent.size()); // by one thread at a time
                }
                return wait;
            };
            queue.add(
                    BAD,
                    new Call(
                            1,
                            false,
                            () -> {
                                begun.incrementAndGet();
                                return answer;
                            },
                            refused::incrementAndGet));
        }
        CountDownLatch served = new CountDownLatch(calls);
        for (int i = 0; i < calls; i++) {
            queue.add(GOOD, call(1, served::countDown));
        }
        await(served);
        assertThat(begun.get()).isBetween(1, THREADS);
        room.countDown();
        Nodes.await("all are sent", queue::isIdle);
        assertThat(sent).hasSize(calls);
        assertThat(refused).hasValue(0);
    }

    @Test
    void calls_ofAPeerThatHasMany_letThoseOfAnotherTakeTurns() {
        CountDownLatch hold = new CountDownLatch(1);
        AtomicInteger bad = new AtomicInteger();
        AtomicInteger badBefore = new AtomicInteger(-1);
        for (int i = 0; i < THREADS; i++) {
            queue.add(BAD, call(1, () -> await(hold)));
        }
        for (int i = 0; i < 5000; i++) {
            queue.add(BAD, call(1, bad::incrementAndGet));
        }
        queue.add(GOOD, call(1, () -> badBefore.set(bad.get())));
        hold.countDown();
        Nodes.await("all are done", queue::isIdle);
        System.out.println("callsBefore=" + badBefore);
        assertThat(badBefore.get()).isBetween(0, 2500); // not behind all of them
    }

    @Test
    void add_beyondTheBytesOfAPeerAndOfAll_isRefused() {
        CountDownLatch hold = new CountDownLatch(1);
        long heap = Runtime.getRuntime().maxMemory();
        long most = Math.min(256 << 20, heap >> 3);
        queue.add(BAD, call(most * 2, () -> await(hold))); // the only one is taken
        queue.add(BAD, call(1, () -> {}));
        assertThat(refused).hasValue(1);
        queue.add(GOOD, call(most, () -> await(hold)));
        queue.add(GOOD, call(1, () -> {}));
        assertThat(refused).hasValue(2);
        hold.countDown();
        Nodes.await("all are done", queue::isIdle);
        queue.add(BAD, call(most, () -> {}));
        assertThat(refused).hasValue(2);
    }

    @Test
    void close_letsNoFurtherCallBegin() {
        CountDownLatch hold = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < 3 * THREADS; i++) {
            queue.add(BAD, call(1, () -> {
                begun.incrementAndGet();
                await(hold);
            }));
        }
        Nodes.await("threads are busy", () -> begun.get() == THREADS);
        queue.close();
        queue.add(BAD, call(1, begun::incrementAndGet));
        assertThat(refused).hasValue(1);
        assertThat(begun).hasValue(THREADS);
    }

    @Test
    void call_thatThrows_isRefused() {
        queue.add(BAD, call(1, () -> {
            throw new StackOverflowError();
        }));
        queue.add(
                BAD,
                new Call(
                        1,
                        false,
                        () -> wait -> {
                            if (wait) {
                                throw new OutOfMemoryError("of the test");
                            }
                            return false;
                        },
                        refused::incrementAndGet));
        Nodes.await("refused", () -> refused.get() == 2 && queue.isIdle());
    }

    @Test
    void refusal_thatThrows_losesNoCount() {
        CountDownLatch ran = new CountDownLatch(1);
        for (int i = 0; i < 2 * THREADS; i++) {
            queue.add(
                    BAD,
                    new Call(
                            1,
                            i % 2 == 0,
                            () -> {
                                throw new OutOfMemoryError("of the test");
                            },
                            () -> {
                                throw new OutOfMemoryError("of the test");
                            }));
        }
        queue.add(BAD, call(1, ran::countDown));
        await(ran);
        Nodes.await("idle", queue::isIdle);
    }
}
