package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that sends without pause holds up nobody else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FloodTest {
    private static final int RECEIVES = 100;
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

    @Test
    void echoes_besideAFloodToADeadPid_areAllAnswered() throws Exception {
        Node other = nodes.start("other");
        try (Mailbox client = other.mailbox();
                Mailbox quietServer = node.mailbox();
                Mailbox server = node.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            print("echo, quiet", echoes(client, quietServer, ECHOES));
            Thread flood = peer.flood(toNobody(node));
            print("echo, flooded", echoes(client, server, ECHOES));
            assertThat(flood.isAlive()).as("the flood goes on").isTrue();
            assertThat(node.connected()).contains(peer.name(), other.name());
        }
    }
}
