package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.engine.Watchdog;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody waits for what is there: a wake-up that is lost makes its test hang, which the watchdog sees. */
class ReceiveLeaderTest {
    private static final int SERVERS = 3;
    private static final int CLIENTS = 4;
    private static final int BURST = 20;
    private static final long QUIET_NANOS =
            TimeUnit.MILLISECONDS.toNanos(5); // the background thread goes to sleep meanwhile
    private static final long NEVER = TimeUnit.DAYS.toNanos(1);
    private static final int ANSWER_BYTES = Integer.BYTES + Long.BYTES;
    private static final Object STOP = new Object();

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong answered = new AtomicLong();
    private final CyclicBarrier quiet = new CyclicBarrier(CLIENTS, () -> LockSupport.parkNanos(QUIET_NANOS));
    private final List<Box> servers = new ArrayList<>();
    private final List<Box> clients = new ArrayList<>();
    private final List<CompletableFuture<Thread>> serving = new ArrayList<>();
    private ReceiveLeader leader;

    private Connection there; // what is sent to it comes out of `here`
    private Connection here;

    private record Request(int client, long number) {}

    @BeforeEach
    void start() throws IOException {
        leader = new ReceiveLeader("leader", 0, NEVER, () -> {}, e -> {});
        leader.start();
        Loopback ends = Loopback.open();
        here = Loopback.connection(ends.one(), this::answered);
        there = Loopback.connection(ends.other(), (buffer, offset, length) -> {});
        leader.add(here);
        leader.add(there);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        here.end(new IOException("end of the test"));
        there.end(new IOException("end of the test"));
        leader.close();
    }

    /** Answers until it is told to stop; waits shortly at times, and may be interrupted. */
    @SuppressWarnings("ReferenceEquality") // that very object
    private void serve(Box box, SplittableRandom random) {
        for (; ; ) {
            try {
                Object got = box.take(random.nextInt(4) == 0 ? random.nextInt(200_000) : NEVER);
                if (got == STOP) {
                    return;
                }
                if (got instanceof Request request) {
                    answer(request, random.nextBoolean());
                }
            } catch (InterruptedException e) {
                // only its wait has ended
            }
        }
    }

    /** Directly, or over a socket, which somebody must read. */
    private void answer(Request request, boolean overSocket) throws InterruptedException {
        if (overSocket) {
            byte[] answer = ByteBuffer.allocate(ANSWER_BYTES)
                    .putInt(request.client())
                    .putLong(request.number())
                    .array();
            there.send(null, out -> out.send(Pid.of(Loopback.PEER.atom(), 1, 0, 1), Binary.of(answer)));
        } else {
            clients.get(request.client()).put(request.number());
        }
    }

    private void answered(byte[] buffer, int offset, int length) {
        ByteBuffer answer = ByteBuffer.wrap(buffer, offset + length - ANSWER_BYTES, ANSWER_BYTES);
        clients.get(answer.getInt()).put(answer.getLong());
    }

    private void ask(int client, int requests, SplittableRandom random) throws Exception {
        Box box = clients.get(client);
        for (long number = 0; number < requests; number++) {
            if (number < requests / 2 && number % BURST == 0) {
                quiet.await();
            }
            int to = random.nextInt(SERVERS);
            servers.get(to).put(new Request(client, number));
            if (random.nextInt(50) == 0) {
                serving.get(random.nextInt(SERVERS)).get().interrupt();
            }
            Object answer = random.nextBoolean() ? box.take(random.nextInt(100_000)) : null;
            while (answer == null) {
                answer = box.take(NEVER);
            }
            assertThat(answer).isEqualTo(number);
            answered.incrementAndGet();
        }
    }

    private void stress(int requests, Duration most) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            Box box = new Box(leader);
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            SplittableRandom own = random.split();
            servers.add(box);
            serving.add(thread);
            ends.add(threads.submit(() -> {
                thread.complete(Thread.currentThread());
                serve(box, own);
            }));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Box(leader));
        }
        List<Future<?>> asking = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            SplittableRandom own = random.split();
            asking.add(threads.submit(() -> {
                ask(client, requests, own);
                return null;
            }));
        }
        Watchdog.await(asking, most, () -> "seed=" + seed + " answered=" + answered);
        servers.forEach(box -> box.put(STOP));
        Watchdog.await(ends, Duration.ofSeconds(60), () -> "seed=" + seed + " servers that were told to stop");
        assertThat(answered).as("seed=%d", seed).hasValue((long) CLIENTS * requests);
    }

    @Test
    void await_byManyThatWakeEachOther_neverSleepsOnAnItem() throws Exception {
        stress(10_000, Duration.ofSeconds(60));
    }

    @Tag("slow")
    @Test
    void await_byManyForLong_neverSleepsOnAnItem() throws Exception {
        stress(Integer.getInteger("touchstone.requests", 200_000), Duration.ofHours(1));
    }

    /** Each waits for one item while the others come and go: whoever is left alone at the end must have been woken. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void await_whileTheLeaderLeaves_isWokenInTurn(int waiting) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 400; round++) {
            List<Box> boxes = new ArrayList<>();
            List<Future<?>> waits = new ArrayList<>();
            for (int i = 0; i < waiting; i++) {
                Box box = new Box(leader);
                boxes.add(box);
                waits.add(threads.submit(() -> box.take(NEVER)));
            }
            while (!boxes.isEmpty()) {
                boxes.remove(random.nextInt(boxes.size())).put(round);
                if (random.nextInt(100) == 0) {
                    LockSupport.parkNanos(random.nextInt(5_000_000));
                }
            }
            int at = round;
            Watchdog.await(waits, Duration.ofSeconds(60), () -> "seed=" + seed + " round=" + at);
            for (Future<?> wait : waits) {
                assertThat(wait.get()).isEqualTo(round);
            }
        }
    }

    @Test
    void close_whileManyWait_endsAllWaits() throws Exception {
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waits.add(threads.submit(() -> new Box(leader).take(NEVER)));
        }
        leader.close();
        Watchdog.await(waits, Duration.ofSeconds(60), () -> "waits at a leader that is closed");
    }
}
