package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that leave in fragments: whole, in their sender's order, and beside the small ones of others. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeMessageTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Pid OTHER = ScriptedPeer.pid(1);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Nodes nodes;
    private Node a;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        a = nodes.start("a");
        System.out.println("seed=" + seed);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        nodes.close();
    }

    private static Binary bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Binary.of(bytes);
    }

    /** Sizes around the limit for whole frames and around whole fragments too. */
    @Test
    void send_ofAnySize_arrivesInTheSendersOrder() throws Exception {
        Node b = nodes.start("b");
        int senders = 6; // more than large messages that may be under way
        int each = 60;
        Mailbox to = b.mailbox();
        List<Mailbox> boxes = new ArrayList<>();
        List<Future<?>> sends = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            Mailbox from = a.mailbox();
            boxes.add(from);
            int number = i;
            sends.add(threads.submit(() -> {
                SplittableRandom random = new SplittableRandom(seed + number);
                for (int sent = 0; sent < each; sent++) {
                    from.send(to.pid(), Tuple.of(from.pid(), Int.of(sent), bytes(random, size(random))));
                }
            }));
        }
        SplittableRandom[] expected = new SplittableRandom[senders];
        int[] next = new int[senders];
        for (int i = 0; i < senders; i++) {
            expected[i] = new SplittableRandom(seed + i);
        }
        for (int i = 0; i < senders * each; i++) {
            Tuple message = (Tuple) requireNonNull(to.receive(LONG), "seed=" + seed);
            int from = boxes.indexOf(boxes.stream()
                    .filter(box -> box.pid().equals(message.get(0)))
                    .findFirst()
                    .orElseThrow());
            assertThat(message.get(1)).as("seed=%d", seed).isEqualTo(Int.of(next[from]++));
            assertThat(message.get(2)).as("seed=%d", seed).isEqualTo(bytes(expected[from], size(expected[from])));
        }
        Watchdog.await(sends, LONG, () -> "seed=" + seed);
    }

    private static int size(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(100);
            case 1 -> (64 << 10) + random.nextInt(10_000);
            case 2 -> (random.nextInt(1, 6) << 16) + random.nextInt(-40, 40);
            case 3 -> random.nextInt(1 << 20);
            default -> random.nextInt(4 << 20);
        };
    }

    /** Checks that a frame sent without waiting stays behind its sender's large message, and that a signal of another mailbox passes it. */
    @Test
    void close_ofASenderWhoseLargeMessageIsOnItsWay_followsIt() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.dial(a, LocalCapabilities.announced(true));
                Mailbox other = a.mailbox()) {
            Mailbox box = a.mailbox();
            box.link(OTHER);
            Binary message = bytes(new SplittableRandom(seed), 40 << 20); // more than sockets hold
            box.send(OTHER, message);
            assertThat(box.trySend(OTHER, Atom.OK)).as("would overtake").isFalse();
            assertThat(other.trySend(OTHER, Atom.of("small"))).isTrue();
            box.close(Atom.of("boom"));
            peer.read();
            peer.barrier(other, "end");
            peer.await("exit", frame -> Atom.of("boom").equals(frame.payload()));
            List<Term> payloads = new ArrayList<>();
            peer.seen().forEach(frame -> {
                if (frame.payload() != null) {
                    payloads.add(frame.payload());
                }
            });
            assertThat(payloads.indexOf(Atom.of("small"))).isLessThan(payloads.indexOf(message));
            assertThat(payloads.indexOf(message)).isNotNegative().isLessThan(payloads.indexOf(Atom.of("boom")));
            assertThat(peer.seen()).allMatch(frame -> frame.bytes() <= (64 << 10) + (8 << 10));
        }
    }

    @Test
    void send_toAPeerWithoutFragments_isOneFrame() throws Exception {
        long flags = LocalCapabilities.announced(true) & ~Capability.FRAGMENTS.flag();
        try (ScriptedPeer peer = ScriptedPeer.dial(a, flags);
                Mailbox box = a.mailbox();
                Mailbox other = a.mailbox()) {
            Binary message = bytes(new SplittableRandom(seed), 20 << 20);
            box.send(OTHER, message);
            other.send(OTHER, Atom.of("small"));
            peer.read();
            peer.barrier(box, "box");
            peer.barrier(other, "other");
            assertThat(peer.seen()).anyMatch(frame -> message.equals(frame.payload()));
            assertThat(peer.seen()).anyMatch(frame -> Atom.of("small").equals(frame.payload()));
        }
    }

    @Test
    void send_ofMoreThanFramesMayHave_isRefusedAndTheNextArrives() throws Exception {
        Node small = nodes.start(nodes.builder("small").maxFrameBytes(1 << 20));
        Node b = nodes.start("b");
        Mailbox from = small.mailbox();
        Mailbox to = b.mailbox();
        assertThatThrownBy(() -> from.send(to.pid(), Binary.of(new byte[1 << 20])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFrameBytes=1048576");
        from.send(to.pid(), Binary.of(new byte[1_000_000]));
        assertThat(to.receive(LONG)).isEqualTo(Binary.of(new byte[1_000_000]));
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> from.send(to.pid(), Binary.of(new byte[2 << 20])))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        from.send(to.pid(), Atom.OK);
        assertThat(to.receive(LONG)).isEqualTo(Atom.OK);
    }

    /** Whoever waits for the echoes polls one connection and may not come to select, while the other connection's socket is full. */
    @Test
    void send_besideEchoesWithAnotherNode_goesOn() throws Exception {
        Mailbox echo = nodes.start("b").mailbox();
        Mailbox sink = nodes.start("c").mailbox();
        Mailbox asking = a.mailbox();
        Mailbox from = a.mailbox();
        Binary message = bytes(new SplittableRandom(seed), 30 << 20);
        Future<?> serves = threads.submit(() -> {
            for (; ; ) {
                Tuple request = (Tuple) echo.receive();
                echo.send((Pid) request.get(0), request.get(1));
            }
        });
        Future<?> asks = threads.submit(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                asking.send(echo.pid(), Tuple.of(asking.pid(), Atom.OK));
                assertThat(asking.receive(LONG)).isEqualTo(Atom.OK);
            }
            return null;
        });
        for (int i = 0; i < 5; i++) {
            from.send(sink.pid(), message);
            assertThat(message.equals(sink.receive(LONG)))
                    .as("seed=%d message=%d", seed, i)
                    .isTrue();
        }
        assertThat(serves.isDone() || asks.isDone()).as("echoes go on").isFalse();
    }

    @Test
    void connection_thatEndsWithLargeMessagesOnTheirWay_letsTheirSendersGoOn() throws Exception {
        ScriptedPeer peer = ScriptedPeer.dial(a, LocalCapabilities.announced(true));
        List<Future<?>> sends = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Mailbox from = a.mailbox();
            sends.add(threads.submit(() -> {
                try {
                    for (int sent = 0; sent < 3; sent++) {
                        from.send(OTHER, Binary.of(new byte[20 << 20]));
                    }
                } catch (MessagingException.Unreachable lost) {
                    // it began after the end
                }
            }));
        }
        Mailbox trying = a.mailbox();
        Nodes.await("no place is left", () -> !trying.trySend(OTHER, Binary.of(new byte[1 << 20])));
        peer.close();
        Watchdog.await(sends, LONG, () -> "senders");
    }
}
