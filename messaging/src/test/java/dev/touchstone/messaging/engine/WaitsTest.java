package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MailboxLimits.WhenFull;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The waits of a node's users: each ends in its time, and none is harmed by what happens to another. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration NEVER = Duration.ofMinutes(30); // whoever waits this long fails the test's timeout
    private static final int SMALL_STACK = 256 << 10;

    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    /** An action that may wait. */
    private interface Action {
        void run() throws Exception;
    }

    private static FutureTask<Void> inThread(Action action) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        Thread thread = new Thread(task, "waiting");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static void await(FutureTask<?>... tasks) throws InterruptedException {
        Watchdog.await(List.of(tasks), LONG, () -> "a thread of the test");
    }

    private static void assertTimesOut(Action call) {
        assertThatThrownBy(call::run).isInstanceOf(MessagingException.TimedOut.class);
    }

    // --- calls

    @Test
    void calls_besideAPeerThatDoesNotRead_endInTheirTime() throws Exception {
        Node node = nodes.start(nodes.builder("calls").tickTime(NEVER));
        try (FloodingPeer peer = new FloodingPeer("deaf", node);
                Mailbox sending = node.mailbox();
                Mailbox calling = node.mailbox()) {
            Watchdog.until("full", () -> !sending.trySend(peer.pid(1), Binary.of(new byte[50_000])));
            NodeName name = peer.name();
            assertTimesOut(() -> calling.call(peer.pid(2), Atom.OK, SHORT));
            assertTimesOut(() -> calling.call("named", name, Atom.OK, SHORT));
            assertTimesOut(() -> calling.rpc(name, "m", "f", List.of(), SHORT));
            assertTimesOut(() -> calling.erpc(name, "m", "f", List.of(), SHORT));
            assertThat(node.ping(name, SHORT)).isFalse();
            assertThat(node.connected()).containsExactly(name);
        }
    }

    /** Sends a request with a call, has another thread take the turn and pass over the answer, and returns what the call returns. */
    private static Term callBesideASelectiveReceive(Node node, Node other, boolean isErpc) throws Exception {
        try (Mailbox box = node.mailbox();
                Mailbox sender = other.mailbox()) {
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch receiving = new CountDownLatch(1);
            Atom release = Atom.of("release");
            FutureTask<Void> receiver = inThread(() -> box.receive(
                    message -> {
                        receiving.countDown();
                        if (!message.equals(release) && !message.equals(Atom.OK)) {
                            answered.countDown();
                        }
                        return message.equals(release);
                    },
                    NEVER));
            sender.send(box.pid(), Atom.OK);
            assertThat(receiving.await(30, SECONDS)).isTrue();
            FutureTask<Void> releasing = inThread(() -> {
                assertThat(answered.await(30, SECONDS)).isTrue();
                sender.send(box.pid(), release);
            });
            Term answer = isErpc
                    ? box.erpc(other.name(), "m", "f", List.of(), LONG)
                    : box.rpc(other.name(), "m", "f", List.of(), LONG);
            await(receiver, releasing);
            assertThat(box.receive(Duration.ZERO)).isEqualTo(Atom.OK);
            assertThat(box.receive(Duration.ZERO)).isNull();
            return answer;
        }
    }

    @Test
    void calls_whoseAnswerAnotherThreadPassesOver_returnItAndLeaveNothing() throws Exception {
        Node node = nodes.start("calls");
        Node other = nodes.start("other");
        other.handler("m", "f", arguments -> Int.of(7));
        assertThat(callBesideASelectiveReceive(node, other, false)).isEqualTo(Int.of(7));
        assertThat(callBesideASelectiveReceive(node, other, true)).isEqualTo(Int.of(7));
    }

    @Test
    void call_whoseAnswerAndDownAnotherThreadPassesOver_returnsTheAnswerAndLeavesNothing() throws Exception {
        Node node = nodes.start("calls");
        try (Mailbox server = node.mailbox();
                Mailbox box = node.mailbox()) {
            CountDownLatch receiving = new CountDownLatch(1);
            FutureTask<Term> call = new FutureTask<>(() -> {
                assertThat(receiving.await(30, SECONDS)).isTrue();
                return box.call(server.pid(), Atom.OK, LONG);
            });
            FutureTask<Void> calling = inThread(call::run);
            Atom release = Atom.of("release");
            CountDownLatch passed = new CountDownLatch(2);
            FutureTask<Void> receiver = inThread(() -> box.receive(
                    message -> {
                        boolean isRelease = message.equals(release);
                        if (receiving.getCount() > 0) {
                            receiving.countDown();
                        } else if (!isRelease) {
                            passed.countDown();
                        }
                        return isRelease;
                    },
                    NEVER));
            server.send(box.pid(), Int.of(0));
            Tuple request = (Tuple) requireNonNull(server.receive(LONG));
            server.reply(request.get(1), Int.of(7));
            server.close(Atom.of("normal"));
            assertThat(passed.await(30, SECONDS)).isTrue();
            try (Mailbox sender = node.mailbox()) {
                sender.send(box.pid(), release);
            }
            await(calling, receiver);
            assertThat(call.get()).isEqualTo(Int.of(7));
            assertThat(box.receive(Duration.ZERO)).isEqualTo(Int.of(0));
            assertThat(box.receive(Duration.ZERO)).isNull();
        }
    }

    @Test
    void call_thatWaitsForRoomAndIsInterrupted_throws() throws Exception {
        Node node = nodes.start(nodes.builder("calls").tickTime(NEVER));
        try (FloodingPeer peer = new FloodingPeer("deaf", node);
                Mailbox box = node.mailbox()) {
            Watchdog.until("full", () -> !box.trySend(peer.pid(1), Binary.of(new byte[50_000])));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> box.call(peer.pid(2), Atom.OK, NEVER)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void calls_ofANodeThatAcceptsAndIsSilent_endInTheirTime() throws Exception {
        NodeName silent = NodeName.parse("silent@localhost");
        try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Node node = nodes.start(nodes.builder("calls")
                    .connectTimeout(NEVER)
                    .resolver(name -> new ResolvedNode(hole.getLocalSocketAddress())));
            try (Mailbox calling = node.mailbox()) {
                assertThat(node.ping(silent, SHORT)).isFalse();
                assertTimesOut(() -> calling.call("named", silent, Atom.OK, SHORT));
                assertTimesOut(() -> calling.erpc(silent, "m", "f", List.of(), SHORT));
            }
        }
    }

    @Test
    void calls_ofAFullMailboxOfTheSameNode_endInTheirTimeAndAddNothing() throws Exception {
        int most = 10;
        Node node = nodes.start("calls");
        MailboxLimits limits = new MailboxLimits(most, Long.MAX_VALUE, WhenFull.BLOCK);
        try (Mailbox full = node.mailbox("full", limits);
                Mailbox calling = node.mailbox()) {
            for (int i = 0; i < most; i++) {
                calling.send(full.pid(), Int.of(i));
            }
            for (int i = 0; i < 3; i++) {
                assertTimesOut(() -> calling.call(full.pid(), Atom.OK, SHORT));
                assertTimesOut(() -> calling.call("full", node.name(), Atom.OK, SHORT));
            }
            assertThat(((LocalMailbox) full).inbox().waiting()).isEqualTo(most);
            FutureTask<Void> waiting = inThread(
                    () -> assertThat(calling.call(full.pid(), Atom.OK, NEVER)).isEqualTo(Int.of(1)));
            for (int i = 0; i < most; i++) {
                assertThat(full.receive(LONG)).isEqualTo(Int.of(i));
            }
            Tuple call = (Tuple) requireNonNull(full.receive(LONG));
            full.reply(call.get(1), Int.of(1));
            await(waiting);
        }
    }

    // --- dialling

    @Test
    void send_whileAThreadThatNeedsTheSameNodeIsInterrupted_goesOn() throws Exception {
        Node there = nodes.start("there");
        CountDownLatch isDialling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Node node = nodes.start(nodes.builder("here").resolver(name -> {
            isDialling.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            return new ResolvedNode(new InetSocketAddress(InetAddress.getLoopbackAddress(), there.port()));
        }));
        try (Mailbox box = there.mailbox("box");
                Mailbox from = node.mailbox()) {
            Thread[] first = new Thread[1];
            FutureTask<Void> interrupted = inThread(() -> {
                first[0] = Thread.currentThread();
                assertThatThrownBy(() -> from.send("box", there.name(), Int.of(1)))
                        .isInstanceOf(MessagingException.Unreachable.class)
                        .hasMessageContaining("interrupted");
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            });
            isDialling.await();
            FutureTask<Void> other = inThread(() -> from.send("box", there.name(), Int.of(2)));
            first[0].interrupt();
            await(interrupted);
            goOn.countDown();
            await(other);
            assertThat(box.receive(LONG)).isEqualTo(Int.of(2));
        }
    }

    // --- receiving

    @Test
    void receive_whosePredicateThrows_keepsTheMessageAndItsRoom() throws Exception {
        Node node = nodes.start("picky");
        MailboxLimits limits = new MailboxLimits(100, 100_000, WhenFull.BLOCK);
        try (Mailbox box = node.mailbox(limits);
                Mailbox from = node.mailbox()) {
            Binary large = Binary.of(new byte[90_000]);
            for (int i = 0; i < 20; i++) {
                from.send(box.pid(), large);
                assertThatThrownBy(() -> box.receive(message -> ((Tuple) message).size() == 2, LONG))
                        .isInstanceOf(ClassCastException.class);
                assertThat(box.receive(Duration.ZERO)).isEqualTo(large);
            }
            assertThat(from.trySend(box.pid(), large)).isTrue();
        }
    }

    @Test
    void mailbox_madeWhileTheNodeCloses_isClosed() throws Exception {
        for (int round = 0; round < 100; round++) {
            Node node = Node.builder("closing@localhost")
                    .cookie(Nodes.COOKIE)
                    .tcp(false)
                    .start();
            Queue<Mailbox> made = new ConcurrentLinkedQueue<>();
            Action makes = () -> assertThatThrownBy(() -> {
                        for (; ; ) {
                            made.add(node.mailbox());
                        }
                    })
                    .isInstanceOf(MessagingException.Closed.class);
            FutureTask<Void> one = inThread(makes);
            FutureTask<Void> two = inThread(makes);
            Watchdog.until("some are made", () -> made.size() > 10);
            node.close();
            await(one, two);
            assertThat(made).as("round %d", round).allMatch(Mailbox::isClosed);
        }
    }

    // --- stacks that overflow

    /** Calls an action at each of the depths that leave little stack. */
    private static void nearTheEndOfTheStack(Action action) throws InterruptedException {
        Thread thread = new Thread(null, () -> descend(action, new int[] {60}), "deep", SMALL_STACK);
        thread.setDaemon(true);
        thread.start();
        thread.join(LONG.toMillis());
        assertThat(thread.isAlive()).isFalse();
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack is full
    private static void descend(Action action, int[] left) {
        try {
            descend(action, left);
        } catch (StackOverflowError full) {
            // the frame above has a little more
        }
        if (left[0]-- > 0) {
            try {
                action.run();
            } catch (Exception | StackOverflowError e) {
                // as expected: the mailbox is looked at afterwards
            }
        }
    }

    @Test
    void mailbox_usedWithoutStack_canBeUsedAfterwards() throws Exception {
        Node node = nodes.start("deep");
        for (int round = 0; round < 20; round++) {
            try (Mailbox box = node.mailbox();
                    Mailbox from = node.mailbox()) {
                Pid to = box.pid();
                nearTheEndOfTheStack(() -> from.send(to, Atom.OK));
                nearTheEndOfTheStack(() -> box.receive(Duration.ZERO));
                nearTheEndOfTheStack(() -> box.receive(message -> false, Duration.ZERO));
                from.send(to, Int.of(round));
                Term last = null;
                while (!Int.of(round).equals(last)) {
                    last = requireNonNull(box.receive(LONG), "lost");
                }
            }
        }
    }
}
