package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many messages both ways over one connection: none is lost, none comes twice, and those of a pair come in order. */
class VolumeTest {
    private static final int SENDERS = 8;
    private static final int RECEIVERS = 4;
    private static final int MAX_UNDERWAY =
            100_000; // a mailbox takes what comes: what is not yet received is on the heap

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Semaphore underway = new Semaphore(MAX_UNDERWAY);
    private final LongAdder received = new LongAdder();
    private final List<Mailbox> receivers = new ArrayList<>();
    private final Node[] pair = new Node[2];
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        for (int i = 0; i < pair.length; i++) {
            pair[i] = nodes.start("node" + i);
        }
        for (int i = 0; i < RECEIVERS; i++) {
            receivers.add(pair[i % 2].mailbox());
        }
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        nodes.close();
    }

    private Void send(int sender, int messages, SplittableRandom random) throws InterruptedException {
        Mailbox box = pair[(sender + 1) % 2].mailbox();
        int[] sent = new int[RECEIVERS];
        for (int i = 0; i < messages; i++) {
            underway.acquire();
            int to = 2 * random.nextInt(RECEIVERS / 2) + sender % 2; // of the other node
            box.send(receivers.get(to).pid(), Tuple.of(Int.of(sender), Int.of(sent[to]++)));
        }
        for (int to = sender % 2; to < RECEIVERS; to += 2) {
            box.send(receivers.get(to).pid(), Tuple.of(Int.of(sender), Int.of(sent[to]), Atom.of("end")));
        }
        return null;
    }

    private Void receive(Mailbox box) throws InterruptedException {
        int[] next = new int[SENDERS];
        for (int ended = 0; ended < SENDERS / 2; ) {
            Tuple message = (Tuple) box.receive();
            int from = (int) ((Int) message.get(0)).value();
            assertThat(((Int) message.get(1)).value())
                    .as("from=%d seed=%d", from, seed)
                    .isEqualTo(next[from]);
            if (message.size() == 3) {
                ended++;
            } else {
                next[from]++;
                received.increment();
                underway.release();
            }
        }
        assertThat(box.receive(Duration.ZERO)).as("seed=%d", seed).isNull();
        return null;
    }

    private void exchange(int messages, Duration most) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Future<?>> work = new ArrayList<>();
        for (Mailbox box : receivers) {
            work.add(threads.submit(() -> receive(box)));
        }
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            SplittableRandom own = random.split();
            work.add(threads.submit(() -> send(sender, messages / SENDERS, own)));
        }
        Watchdog.await(work, most, () -> "seed=" + seed + " received=" + received);
        assertThat(received.sum()).isEqualTo(messages);
    }

    @Test
    void messages_ofEightThreads_arriveOnceAndInOrder() throws Exception {
        exchange(200_000, Duration.ofSeconds(60));
    }

    @Tag("slow")
    @Test
    void tenMillionMessages_ofEightThreads_arriveOnceAndInOrder() throws Exception {
        exchange(10_000_000, Duration.ofMinutes(30));
    }
}
