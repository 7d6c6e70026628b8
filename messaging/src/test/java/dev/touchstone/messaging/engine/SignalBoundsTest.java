package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals for a peer that does not read: whoever sends them waits, and what the node owes has a bound. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SignalBoundsTest {
    private static final Pid OTHER = ScriptedPeer.pid(1);
    private static final Term TEN_KB = Binary.of(new byte[10_000]);
    private static final int MAX_IN_SOCKETS = 16 << 20; // what both ends' kernels hold, and the water mark

    private static final int MAX_OWED = 64 << 20;
    private static final int REASON_BYTES = 200_000;

    private Nodes nodes;
    private Node node;
    private ScriptedPeer peer;
    private Mailbox box;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true));
        box = node.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        nodes.close();
    }

    /** Runs a sender until it waits; returns how often it has sent, and leaves it waiting. */
    private int sentUntilBlocked(Runnable send) {
        AtomicInteger sent = new AtomicInteger();
        Thread sender = new Thread(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    send.run();
                    sent.incrementAndGet();
                }
            } catch (MessagingException.Closed endOfTheTest) {
                // it waited until then
            }
        });
        sender.setDaemon(true);
        sender.start();
        Nodes.await(
                "the sender waits",
                () -> sender.getState() == Thread.State.TIMED_WAITING && !box.trySend(OTHER, Atom.OK));
        sender.interrupt();
        return sent.get();
    }

    @Test
    void exit_toAPeerThatDoesNotRead_waits() {
        int sent = sentUntilBlocked(() -> box.exit(OTHER, TEN_KB));
        System.out.println("exitsAccepted=" + sent);
        assertThat(sent * 10_000L).isLessThan(MAX_IN_SOCKETS);
        assertThat(node.connected()).containsExactly(ScriptedPeer.NAME);
    }

    @Test
    void linkAndMonitor_ofAPeerThatDoesNotRead_wait() {
        AtomicInteger id = new AtomicInteger(1);
        int sent = sentUntilBlocked(() -> {
            box.link(ScriptedPeer.pid(id.incrementAndGet()));
            var unused = box.monitor(ScriptedPeer.pid(id.get()));
        });
        System.out.println("linksAccepted=" + sent);
        assertThat(sent * 100L).isLessThan(MAX_IN_SOCKETS);
        assertThat(node.connected()).containsExactly(ScriptedPeer.NAME);
    }

    @Test
    void signals_ofASenderThatWaits_goOnWhenThePeerReadsAgain() {
        int sent = sentUntilBlocked(() -> box.exit(OTHER, TEN_KB));
        peer.read();
        Nodes.await(
                "all have arrived",
                () -> peer.seen().stream()
                                .filter(frame -> frame.operation() == Control.PAYLOAD_EXIT2)
                                .count()
                        >= sent);
    }

    /** Nobody who closes a mailbox waits for those that it is linked to. */
    @Test
    void close_ofMailboxesLinkedToAPeerThatDoesNotRead_endsTheConnectionBeyondTheBound() throws Exception {
        Term reason = Binary.of(new byte[REASON_BYTES]);
        Mailbox watcher = node.mailbox();
        watcher.monitorNode(ScriptedPeer.NAME);
        int closed = 0;
        while (watcher.receive(Duration.ZERO) == null) {
            Mailbox linked = node.mailbox();
            peer.send(Tuple.of(Int.of(Control.LINK), OTHER, linked.pid()), null);
            peer.roundTrip(watcher, "linked " + closed);
            linked.close(reason);
            closed++;
            assertThat((long) closed * REASON_BYTES).isLessThan(2L * MAX_IN_SOCKETS + MAX_OWED);
        }
        System.out.println("exitsOwed=" + closed);
        assertThat((long) closed * REASON_BYTES).isGreaterThan(MAX_OWED);
        assertThat(node.connected()).isEmpty();
    }

    @Test
    void close_withAReasonLargerThanFrames_tellsTheLinkedProcessAnyway() throws Exception {
        Node small = nodes.start(nodes.builder("small").maxFrameBytes(1 << 20));
        try (ScriptedPeer linked = ScriptedPeer.dial(small, LocalCapabilities.announced(true))
                        .read();
                Mailbox other = small.mailbox()) {
            Mailbox ending = small.mailbox();
            ending.link(OTHER);
            ending.close(Binary.of(new byte[2 << 20]));
            linked.barrier(other, "closed");
            assertThat(linked.await(Control.PAYLOAD_EXIT).payload()).isEqualTo(Atom.of("system_limit"));
        }
    }
}
