package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.handshake.Handshake;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes that dial each other at the same moment have one connection. */
class SimultaneousConnectTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        nodes.close();
    }

    /** Both watch the other node, and connect to it by that: so each is told if a connection it had is replaced. */
    private void watchBoth(Mailbox left, Mailbox right, String state) throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(2);
        Future<?> one = threads.submit(() -> {
            together.await();
            left.monitorNode(right.node().name());
            return null;
        });
        Future<?> other = threads.submit(() -> {
            together.await();
            right.monitorNode(left.node().name());
            return null;
        });
        Watchdog.await(List.of(one, other), Duration.ofSeconds(60), () -> state);
    }

    private void checkConnected(Node one, Node other, String state) throws InterruptedException {
        assertThat(one.ping(other.name(), LONG)).as(state).isTrue();
        assertThat(other.ping(one.name(), LONG)).as(state).isTrue();
        assertThat(one.connected()).as(state).containsExactly(other.name());
        assertThat(other.connected()).as(state).containsExactly(one.name());
    }

    private void connectNewNodes(int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            String state = "round=" + round;
            try (Node left = nodes.builder("l" + round).start();
                    Node right = nodes.builder("r" + round).start()) {
                Mailbox here = left.mailbox();
                Mailbox there = right.mailbox();
                watchBoth(here, there, state);
                checkConnected(left, right, state);
                assertThat(here.receive(Duration.ZERO))
                        .as("%s: %s", state, left.stats())
                        .isNull();
                assertThat(there.receive(Duration.ZERO))
                        .as("%s: %s", state, right.stats())
                        .isNull();
            }
        }
    }

    /** As above, where the other node may not know yet that the connection before is gone. */
    private void connectAgain(int rounds) throws Exception {
        LocalNode left = nodes.start("left");
        LocalNode right = nodes.start("right");
        for (int round = 0; round < rounds; round++) {
            String state = "round=" + round;
            try (Mailbox here = left.mailbox();
                    Mailbox there = right.mailbox()) {
                watchBoth(here, there, state);
                boolean known = false;
                while (!known) { // what is asked over a connection that the other node has cut is lost
                    boolean answers = left.ping(right.name(), LONG);
                    known = right.ping(left.name(), LONG) && answers;
                }
                checkConnected(left, right, state);
            }
            (round % 2 == 0 ? left : right).peers().all().forEach(made -> made.end(new IOException("cut by a test")));
        }
    }

    @Test
    void connect_ofBothAtOnce_makesOneConnection() throws Exception {
        connectNewNodes(100);
    }

    @Test
    void connect_ofBothAtOnceAfterACut_makesOneConnection() throws Exception {
        connectAgain(200);
    }

    /** A peer gives its attempt up once it has taken ours, and what it has sent before may be read later. */
    @Test
    void prove_ofAnAttemptThatOurConnectionOvertook_isRefused() throws Exception {
        LocalNode left = nodes.start("left");
        LocalNode right = nodes.start("right");
        Listener.Attempt late = right.peers().accept();
        tellName(left, right, late);
        right.connect(left.name());
        assertThatThrownBy(() -> late.prove(left.name())).isInstanceOf(IOException.class);
        late.ended();
        assertThat(right.ping(left.name(), LONG)).isTrue();
    }

    @Test
    void prove_ofAnAttemptThatALaterOneOvertook_isRefused() throws Exception {
        LocalNode left = nodes.start("left");
        LocalNode right = nodes.start("right");
        Listener.Attempt late = right.peers().accept();
        tellName(left, right, late);
        left.connect(right.name());
        assertThatThrownBy(() -> late.prove(left.name())).isInstanceOf(IOException.class);
        late.ended();
        assertThat(left.ping(right.name(), LONG)).isTrue();
    }

    private static void tellName(LocalNode from, LocalNode to, Listener.Attempt attempt) throws Exception {
        Handshake asking = Handshake.initiator(from.peers().handshakeOptions(to.name()));
        var unused = attempt.handshake().received(asking.start().get(0));
    }

    @Tag("slow")
    @Test
    void connect_ofBothAtOnceAThousandTimes_makesOneConnection() throws Exception {
        connectNewNodes(1000);
        connectAgain(5000);
    }
}
