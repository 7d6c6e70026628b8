package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three nodes whose mailboxes do everything at once, at random. Nothing hangs, comes twice or too early; each monitor and each link tells
 * once; and what was sent is what came, but for messages between nodes whose connection was cut.
 */
class SoakTest {
    private static final int WORKERS_PER_NODE = 2;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<LocalNode> three = new ArrayList<>();
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        for (String name : List.of("x", "y", "z")) {
            three.add(nodes.start(name));
        }
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
        threads.shutdownNow();
    }

    private static void serve(Mailbox echo) throws InterruptedException {
        try {
            for (; ; ) {
                Tuple call = (Tuple) echo.receive();
                echo.reply(call.get(1), call.get(2));
            }
        } catch (MessagingException.Closed end) {
            // the node is closed
        }
    }

    private void soak(boolean cuts, long seconds) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<SoakWorker> workers = new ArrayList<>();
        CyclicBarrier barrier = new CyclicBarrier(WORKERS_PER_NODE * three.size());
        for (LocalNode node : three) {
            Mailbox echo = node.mailbox("echo");
            Future<?> unused = threads.submit(() -> {
                serve(echo);
                return null;
            });
            for (int i = 0; i < WORKERS_PER_NODE; i++) {
                workers.add(new SoakWorker(workers, workers.size(), node, random.split(), cuts, barrier));
            }
        }
        List<Node> all = List.copyOf(three);
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        List<Future<?>> work = new ArrayList<>();
        for (SoakWorker worker : workers) {
            work.add(threads.submit(() -> {
                worker.run(all, end);
                return null;
            }));
        }
        Watchdog.await(work, Duration.ofSeconds(seconds + 90), () -> "seed=" + seed + " " + workers);
        long sent = workers.stream().mapToLong(SoakWorker::sent).sum();
        long came = workers.stream().mapToLong(SoakWorker::received).sum();
        long lost = workers.stream().mapToLong(SoakWorker::lost).sum();
        System.out.println("soak: cuts=" + cuts + " seed=" + seed + " sent=" + sent + " lost=" + lost);
        assertThat(came + lost).as("seed=%d", seed).isEqualTo(sent);
        assertThat(came).as("seed=%d", seed).isPositive();
        assertThat(cuts ? 0 : lost).as("seed=%d", seed).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodes_soaked_keepTheirPromises(boolean cuts) throws Exception {
        soak(cuts, 2);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodes_soakedForLong_keepTheirPromises(boolean cuts) throws Exception {
        soak(cuts, Long.getLong("touchstone.seconds", 300));
    }
}
