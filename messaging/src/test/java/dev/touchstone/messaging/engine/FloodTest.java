package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that sends without pause holds up nobody else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FloodTest {
    private static final int RECEIVES = 100;
    private static final int SILENT = 200;
    private static final int ECHOES = Integer.getInteger("touchstone.echoes", 500);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofSeconds(20);

    private Nodes nodes;
    private Node node;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("flooded");
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private static Pid deadPid(Node of) {
        try (Mailbox closed = of.mailbox()) {
            return closed.pid();
        }
    }

    private static byte[] toNobody(Node node) {
        return FloodingPeer.many(FloodingPeer.send(deadPid(node), Atom.OK));
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.println(what + " n=" + nanos.length + " p50Micros=" + nanos[nanos.length / 2] / 1000
                + " p99Micros=" + nanos[nanos.length * 99 / 100] / 1000 + " maxMicros="
                + nanos[nanos.length - 1] / 1000);
    }

    @Test
    void receive_besideAFloodToADeadPid_returnsWhileTheFloodGoesOn() throws Exception {
        try (FloodingPeer peer = new FloodingPeer("flood", node);
                Mailbox box = node.mailbox()) {
            Thread flood = peer.flood(toNobody(node));
            long[] late = new long[RECEIVES];
            long start = System.nanoTime();
            for (int i = 0; i < RECEIVES; i++) {
                long before = System.nanoTime();
                assertThat(box.receive(SHORT)).isNull();
                late[i] = System.nanoTime() - before - SHORT.toNanos();
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            print("lateness of receive(10 ms)", late);
            System.out.println("floodMib=" + (peer.written() >> 20) + " dropped="
                    + node.stats().dropped());
            assertThat(seconds).isLessThan(30);
            assertThat(flood.isAlive()).as("the flood goes on").isTrue();
            assertThat(node.connected()).contains(peer.name());
        }
    }

    private static long[] echoes(Mailbox client, Mailbox server, int count) throws Exception {
        Thread serving = new Thread(() -> serve(server), "server");
        serving.setDaemon(true);
        serving.start();
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long before = System.nanoTime();
            client.send(server.pid(), Tuple.of(client.pid(), Binary.of(new byte[5])));
            assertThat(client.receive(LONG)).as("echo %d", i).isNotNull();
            nanos[i] = System.nanoTime() - before;
        }
        return nanos;
    }

    private static void serve(Mailbox server) {
        try {
            for (; ; ) {
                Term message = requireNonNull(server.receive());
                server.send((Pid) ((Tuple) message).get(0), ((Tuple) message).get(1));
            }
        } catch (MessagingException.Closed | InterruptedException end) {
            // the test has ended
        }
    }

    /** Kinds of floods, each with what the peer sends again and again. */
    enum Kind {
        DEAD_PID {
            @Override
            byte[] bytes(FloodingPeer peer, Node node, Mailbox full) {
                return toNobody(node);
            }
        },
        FULL_MAILBOX {
            @Override
            byte[] bytes(FloodingPeer peer, Node node, Mailbox full) {
                return FloodingPeer.many(FloodingPeer.send(full.pid(), Binary.of(new byte[1000])));
            }
        },
        EXIT_SIGNALS {
            @Override
            byte[] bytes(FloodingPeer peer, Node node, Mailbox full) {
                Tuple exit = Tuple.of(Int.of(8), peer.pid(1), full.pid(), Atom.of("normal"));
                return FloodingPeer.many(FloodingPeer.frame(exit, null));
            }
        },
        MONITORS_OF_A_DEAD_PID {
            @Override
            byte[] bytes(FloodingPeer peer, Node node, Mailbox full) {
                Ref monitor = Ref.of(peer.name().atom(), 1, 1, 2, 3);
                return FloodingPeer.many(
                        FloodingPeer.frame(Tuple.of(Int.of(19), peer.pid(1), deadPid(node), monitor), null));
            }
        },
        ATOMS {
            @Override
            byte[] bytes(FloodingPeer peer, Node node, Mailbox full) {
                ByteBuffer all = ByteBuffer.allocate(1 << 20);
                for (int i = 0; i < 1000; i++) {
                    all.put(FloodingPeer.send(full.pid(), Atom.of("flood-" + i + "-" + System.nanoTime())));
                }
                return Arrays.copyOf(all.array(), all.position());
            }
        };

        abstract byte[] bytes(FloodingPeer peer, Node node, Mailbox full);
    }

    @ParameterizedTest
    @EnumSource
    void echoes_besideAFlood_areAllAnswered(Kind kind) throws Exception {
        Node other = nodes.start("other");
        try (Mailbox client = other.mailbox();
                Mailbox quietServer = node.mailbox();
                Mailbox server = node.mailbox();
                Mailbox full = node.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            echoes(client, quietServer, ECHOES);
            print("echo, quiet", echoes(client, server, ECHOES));
            Thread flood = peer.flood(kind.bytes(peer, node, full));
            print("echo beside " + kind, echoes(client, server, ECHOES));
            System.out.println("floodMib=" + (peer.written() >> 20));
            assertThat(node.connected()).contains(other.name());
            if (kind != Kind.MONITORS_OF_A_DEAD_PID) { // each is answered, and a peer that reads no answers is ended
                assertThat(flood.isAlive()).as("the flood goes on").isTrue();
                assertThat(node.connected()).contains(peer.name());
            }
        }
    }

    /** Sockets that connect and then say nothing cost neither echoes nor those that are connected. */
    @Test
    void echoes_besideHalfOpenSockets_areAllAnswered() throws Exception {
        Node other = nodes.start("other");
        List<Socket> silent = new ArrayList<>();
        try (Mailbox client = other.mailbox();
                Mailbox server = node.mailbox()) {
            echoes(client, server, ECHOES);
            print("echo, quiet", echoes(client, server, ECHOES));
            for (int i = 0; i < SILENT; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), node.port()));
            }
            print("echo beside half-open sockets", echoes(client, server, ECHOES));
            assertThat(node.connected()).contains(other.name());
        } finally {
            for (Socket each : silent) {
                each.close();
            }
        }
    }
}
