package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The orders in which LINK, UNLINK_ID, its acknowledgement and EXIT can cross: both ends agree afterwards. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkProtocolTest {
    private static final Pid OTHER = ScriptedPeer.pid(1);
    private static final Atom BOOM = Atom.of("boom");
    private static final int RACES = 2000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Nodes nodes;
    private LocalNode node;
    private ScriptedPeer peer;
    private LocalMailbox box;
    private int tags;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true)).read();
        box = node.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        peer.close();
        nodes.close();
    }

    private void send(Term... control) throws Exception {
        peer.send(Tuple.of(control), null);
        peer.roundTrip(box, "sent " + tags++);
    }

    private void link() throws Exception {
        send(Int.of(Control.LINK), OTHER, box.pid());
    }

    private void acknowledge(Term id) throws Exception {
        send(Int.of(Control.UNLINK_ID_ACK), id, OTHER, box.pid());
    }

    /** Returns the id of the unlink that came last. */
    private Term unlinkId() {
        peer.barrier(box, "unlinked " + tags++);
        List<ScriptedPeer.Seen> unlinks = peer.seen().stream()
                .filter(frame -> frame.operation() == Control.UNLINK_ID)
                .toList();
        return unlinks.get(unlinks.size() - 1).element(1);
    }

    /** Sends the end of the other process; returns whether the mailbox was linked to it. */
    private boolean isLinked() throws Exception {
        peer.send(Tuple.of(Int.of(Control.PAYLOAD_EXIT), OTHER, box.pid()), BOOM);
        peer.roundTrip(box, "exited " + tags++);
        Term left = box.receive(Duration.ZERO);
        assertThat(left).isIn(null, Tuple.of(Atom.of("EXIT"), OTHER, BOOM));
        return left != null;
    }

    @Test
    void link_whileAnUnlinkIsNotAcknowledged_isIgnored() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        link();
        assertThat(isLinked()).isFalse();
        acknowledge(unlinkId());
        assertThat(isLinked()).isFalse();
    }

    @Test
    void link_afterTheAcknowledgement_counts() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        acknowledge(unlinkId());
        link();
        assertThat(isLinked()).isTrue();
    }

    @Test
    void link_afterAWrongAcknowledgement_isIgnored() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        Int id = (Int) unlinkId();
        acknowledge(Int.of(id.value() + 1));
        acknowledge(Int.of(-id.value()));
        acknowledge(BigInt.of(BigInteger.ONE.shiftLeft(63)));
        acknowledge(Atom.of("id"));
        send(Int.of(Control.UNLINK_ID_ACK), id, ScriptedPeer.pid(2), box.pid());
        link();
        assertThat(isLinked()).isFalse();
    }

    @Test
    void acknowledgement_ofAnOlderUnlink_isIgnored() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        Term first = unlinkId();
        box.link(OTHER);
        box.unlink(OTHER);
        Term second = unlinkId();
        assertThat(second).isNotEqualTo(first);
        acknowledge(first);
        link();
        assertThat(isLinked()).as("after the first acknowledgement").isFalse();
        acknowledge(second);
        link();
        assertThat(isLinked()).as("after the second acknowledgement").isTrue();
    }

    @Test
    void link_byUsAfterOurUnlink_isSentAgainAndCounts() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        box.link(OTHER);
        Term id = unlinkId();
        assertThat(peer.seen().stream()
                        .map(ScriptedPeer.Seen::operation)
                        .filter(operation -> operation == Control.LINK || operation == Control.UNLINK_ID))
                .containsExactly(Control.LINK, Control.UNLINK_ID, Control.LINK);
        acknowledge(id);
        assertThat(isLinked()).isTrue();
    }

    @Test
    void unlink_byThemWhileOursIsNotAcknowledged_isAcknowledgedAndChangesNothing() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        Term ours = unlinkId();
        BigInt largest = BigInt.of(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
        send(Int.of(Control.UNLINK_ID), largest, OTHER, box.pid());
        assertThat(peer.await(Control.UNLINK_ID_ACK).element(1)).isEqualTo(largest);
        link();
        assertThat(isLinked()).isFalse();
        acknowledge(ours);
        link();
        assertThat(isLinked()).isTrue();
    }

    @Test
    void acknowledgement_isSentBeforeAnyLaterSignalToTheSameProcess() throws Exception {
        box.link(OTHER);
        send(Int.of(Control.UNLINK_ID), Int.of(5), OTHER, box.pid());
        box.link(OTHER);
        peer.barrier(box, "linked again");
        assertThat(peer.seen().stream()
                        .map(ScriptedPeer.Seen::operation)
                        .filter(operation -> operation == Control.LINK || operation == Control.UNLINK_ID_ACK))
                .containsExactly(Control.LINK, Control.UNLINK_ID_ACK, Control.LINK);
        assertThat(isLinked()).isTrue();
    }

    @Test
    void unlink_overALostConnection_isForgotten() throws Exception {
        box.link(OTHER);
        box.unlink(OTHER);
        peer.close();
        Nodes.await("the connection is gone", () -> node.connected().isEmpty());
        peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true)).read();
        link();
        assertThat(isLinked()).isTrue();
    }

    /** Each round one side links and unlinks while the other links, unlinks or both. */
    @Test
    void links_ofTwoNodesThatLinkAndUnlinkAtOnce_agreeInTheEnd() throws Exception {
        LocalNode other = nodes.start("other");
        try (LocalMailbox left = node.mailbox();
                LocalMailbox right = other.mailbox()) {
            other.connect(node.name());
            CyclicBarrier together = new CyclicBarrier(2);
            for (int i = 0; i < RACES; i++) {
                int round = i;
                Future<?> one = threads.submit(() -> act(together, left, right.pid(), round));
                Future<?> two = threads.submit(() -> act(together, right, left.pid(), round / 4));
                Watchdog.await(List.of(one, two), Duration.ofSeconds(30), () -> "round=" + round);
                settle(left, right);
                settle(right, left);
                assertThat(isLinked(left, right)).as("round=%d", round).isEqualTo(isLinked(right, left));
            }
        }
    }

    private static Void act(CyclicBarrier together, Mailbox by, Pid other, int kind) throws Exception {
        together.await();
        if ((kind & 1) == 0) {
            by.link(other);
        }
        if ((kind & 2) == 0) {
            by.unlink(other);
        }
        if (kind % 8 == 7) {
            by.link(other);
        }
        return null;
    }

    /** Waits until all signals of the one have arrived at the other, and their acknowledgements here. */
    private static void settle(Mailbox one, Mailbox other) throws InterruptedException {
        one.send(other.pid(), Atom.OK);
        assertThat(other.receive(Duration.ofSeconds(30))).isEqualTo(Atom.OK);
        other.send(one.pid(), Atom.OK);
        assertThat(one.receive(Duration.ofSeconds(30))).isEqualTo(Atom.OK);
    }

    private static boolean isLinked(LocalMailbox one, Mailbox other) {
        synchronized (one.node().signals()) {
            return one.bonds().links.containsKey(other.pid());
        }
    }
}
