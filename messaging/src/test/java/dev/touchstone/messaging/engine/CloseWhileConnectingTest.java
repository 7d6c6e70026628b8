package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.EpmdResolver;
import dev.touchstone.messaging.epmd.NodeResolver;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that closes ends its attempts to connect: only that, since no other time of the tests is over so early. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseWhileConnectingTest {
    private static final Duration NEVER = Duration.ofMinutes(30); // whoever waits this long fails the test's timeout
    private static final NodeName SILENT = NodeName.parse("silent@localhost");
    private static final Pid PROCESS = Pid.of(SILENT.atom(), 1, 0, 1);
    private static final String DIALLING = "touchstone-dial-" + SILENT;
    private static final int ROUNDS = 300;

    private Nodes nodes;
    private ServerSocket hole;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
        hole.close();
    }

    /** An action that waits for a connection. */
    private interface Action {
        void run(Node node, Mailbox box) throws Exception;
    }

    private static final List<Action> ACTIONS = List.of(
            (node, box) -> node.connect(SILENT),
            (node, box) -> node.ping(SILENT, NEVER),
            (node, box) -> box.send(PROCESS, Atom.OK),
            (node, box) -> box.send("named", SILENT, Atom.OK),
            (node, box) -> box.call(PROCESS, Atom.OK, NEVER),
            (node, box) -> box.call("named", SILENT, Atom.OK, NEVER),
            (node, box) -> box.rpc(SILENT, "m", "f", List.of(), NEVER),
            (node, box) -> box.erpc(SILENT, "m", "f", List.of(), NEVER),
            (node, box) -> box.monitor(PROCESS),
            (node, box) -> box.link(PROCESS));

    private static FutureTask<Void> begin(Action action, Node node, Mailbox box) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            assertThatThrownBy(() -> action.run(node, box)).isInstanceOf(MessagingException.Closed.class);
            return null;
        });
        Thread thread = new Thread(task, "connecting");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private Node start(NodeResolver resolver) throws IOException {
        return nodes.start(nodes.builder("closing").connectTimeout(NEVER).resolver(resolver));
    }

    private static boolean isDialling() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(DIALLING));
    }

    private static void await(List<FutureTask<Void>> waiting) throws InterruptedException {
        Watchdog.await(waiting, Duration.ofSeconds(60), () -> "a thread that connects");
        Nodes.await("the thread that dials has ended", () -> !isDialling());
    }

    @Test
    void close_whileEveryActionWaitsForASilentPeer_endsAllAndTheSocket() throws Exception {
        for (Action first : ACTIONS) {
            Node node = start(name -> new ResolvedNode(hole.getLocalSocketAddress()));
            List<FutureTask<Void>> waiting = new ArrayList<>();
            waiting.add(begin(first, node, node.mailbox()));
            try (Socket accepted = hole.accept()) {
                assertThat(accepted.getInputStream().read()).isZero(); // of the length of the node's name
                for (Action other : ACTIONS) {
                    waiting.add(begin(other, node, node.mailbox()));
                }
                node.close();
                await(waiting);
                assertThat(accepted.getInputStream().readAllBytes()).isNotEmpty(); // up to the end of the connection
            }
        }
    }

    @Test
    void close_whileThePeersAddressIsLookedFor_endsTheLookUp() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        Node node = start(name -> {
            isAsked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            throw new IOException("not found: name=" + name);
        });
        FutureTask<Void> waiting = begin(ACTIONS.get(0), node, node.mailbox());
        isAsked.await();
        node.close();
        await(List.of(waiting));
    }

    @Test
    void close_whileThePortMapperOfThePeerIsSilent_endsTheLookUp() throws Exception {
        Node node = nodes.start(nodes.builder("closing")
                .connectTimeout(NEVER)
                .resolver(EpmdResolver.at((InetSocketAddress) hole.getLocalSocketAddress(), Duration.ofDays(1))));
        FutureTask<Void> waiting = begin(ACTIONS.get(0), node, node.mailbox());
        try (Socket accepted = hole.accept()) {
            assertThat(accepted.getInputStream().read()).isZero(); // of the length of the request
            node.close();
            await(List.of(waiting));
        }
    }

    @Test
    void close_atAnyMomentOfAnAttempt_endsIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Node node = Node.builder("closing@localhost")
                    .cookie(Nodes.COOKIE)
                    .tcp(false)
                    .connectTimeout(NEVER)
                    .resolver(name -> new ResolvedNode(hole.getLocalSocketAddress()))
                    .start();
            Mailbox box = node.mailbox();
            List<FutureTask<Void>> waiting = List.of(
                    begin(ACTIONS.get(0), node, box),
                    begin(ACTIONS.get(0), node, box),
                    begin(ACTIONS.get(2), node, box));
            node.close();
            await(waiting);
        }
    }
}
