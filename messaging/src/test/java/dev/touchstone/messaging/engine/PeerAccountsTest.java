package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The links and monitors that a peer may ask for. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerAccountsTest {
    private static final int MAX = PeerAccounts.MAX_ASKED;
    private static final Duration LONG = Duration.ofSeconds(30);

    private Nodes nodes;
    private LocalNode node;
    private SignalDispatcher signals;
    private LocalMailbox box;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        signals = node.signals();
        box = node.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private static Ref ref(int number) {
        return Ref.of(ScriptedPeer.NAME.atom(), 1, number & 0x3ffff, number >>> 18, 0);
    }

    private static void times(int count, IntConsumer action) {
        for (int i = 0; i < count; i++) {
            action.accept(i);
        }
    }

    private void assertRefused(ThrowingCallable signal) {
        assertThatThrownBy(signal)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("peer has too many links and monitors: peer=" + ScriptedPeer.NAME + " asked=" + (MAX + 1)
                        + " max=" + MAX);
    }

    @Test
    void onLink_beyondTheLimit_isRefusedUntilOthersHaveEnded() {
        times(MAX, i -> signals.onLink(ScriptedPeer.pid(i), box.pid()));
        signals.onLink(ScriptedPeer.pid(0), box.pid()); // is there
        assertRefused(() -> signals.onLink(ScriptedPeer.pid(MAX), box.pid()));
        assertRefused(() -> signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(1)));
        signals.onUnlink(ScriptedPeer.pid(0), box.pid());
        signals.onExit(ScriptedPeer.pid(1), box.pid(), WellKnownAtoms.NORMAL);
        times(2, i -> signals.onLink(ScriptedPeer.pid(MAX + i), box.pid()));
        assertRefused(() -> signals.onLink(ScriptedPeer.pid(0), box.pid()));
        box.close();
        LocalMailbox next = node.mailbox();
        times(MAX, i -> signals.onLink(ScriptedPeer.pid(i), next.pid()));
    }

    @Test
    void onMonitor_beyondTheLimit_isRefusedUntilOthersHaveEnded() {
        times(MAX, i -> signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(i)));
        assertRefused(() -> signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(MAX)));
        signals.onDemonitor(ScriptedPeer.NAME.atom(), box.pid(), ref(0));
        signals.onDemonitor(ScriptedPeer.NAME.atom(), box.pid(), ref(0));
        signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(MAX));
        assertRefused(() -> signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(0)));
    }

    @Test
    void onLinkAndOnMonitor_ofProcessesOfThisNodeAndOtherPeers_countApart() {
        times(MAX, i -> signals.onMonitor(ScriptedPeer.pid(1), box.pid(), ref(i)));
        LocalMailbox own = node.mailbox();
        own.link(box.pid());
        assertThat(own.monitor(box.pid())).isNotNull();
        signals.onLink(Pid.of(node.name().atom(), 1 << 20, 0, node.creation()), box.pid());
        signals.onLink(Pid.of(WellKnownAtoms.NODE_TYPE, 1, 0, 1), box.pid());
    }

    @Test
    void links_beyondTheLimit_endTheirConnectionOnly() throws Exception {
        assertEnds(i -> Tuple.of(Int.of(Control.LINK), ScriptedPeer.pid(i), box.pid()));
    }

    @Test
    void monitors_beyondTheLimit_endTheirConnectionOnly() throws Exception {
        assertEnds(i -> Tuple.of(Int.of(Control.MONITOR_P), ScriptedPeer.pid(1), box.pid(), ref(i)));
    }

    /** A peer that links and disconnects again and again must not fill a mailbox that nobody reads. */
    @Test
    void links_toAFullMailbox_letTheirConnectionWait() throws Exception {
        int links = 100;
        LocalMailbox full = node.mailbox(new MailboxLimits(links - 1, 1 << 20, MailboxLimits.WhenFull.BLOCK));
        Node other = nodes.start("other");
        box.monitorNode(ScriptedPeer.NAME);
        try (ScriptedPeer peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true))) {
            for (int i = 0; i < links; i++) {
                peer.send(Tuple.of(Int.of(Control.LINK), ScriptedPeer.pid(i), full.pid()), null);
            }
            peer.roundTrip(box, "linked");
        }
        assertThat(box.receive(LONG)).hasToString("{nodedown," + ScriptedPeer.NAME + "}");
        try (ScriptedPeer peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true))) {
            for (int i = 0; i < links; i++) {
                peer.send(Tuple.of(Int.of(Control.LINK), ScriptedPeer.pid(i), full.pid()), null);
            }
            Nodes.await("the first is linked", () -> !signals.links(full).isEmpty());
            assertThat(other.ping(node.name(), LONG)).isTrue();
            assertThat(signals.links(full)).hasSize(1);
            for (int i = 0; i < links; i++) {
                assertThat(full.receive(LONG)).isNotNull();
            }
            peer.roundTrip(box, "the others are read");
            assertThat(signals.links(full)).hasSize(links);
        }
    }

    private void assertEnds(IntFunction<Tuple> signal) throws Exception {
        LocalNode other = nodes.start("other");
        try (ScriptedPeer peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true));
                Mailbox watching = node.mailbox();
                Mailbox linked = other.mailbox()) {
            linked.link(box.pid());
            watching.monitorNode(ScriptedPeer.NAME);
            for (int i = 0; i < MAX; i++) {
                peer.send(signal.apply(i), null);
            }
            peer.roundTrip(box, "all are there");
            peer.send(signal.apply(MAX), null);
            assertThat(watching.receive(LONG)).hasToString("{nodedown," + ScriptedPeer.NAME + "}");
            Nodes.await("the end is recorded", () -> !node.stats().recentEnds().isEmpty());
            ConnectionEnd end = node.stats().recentEnds().get(0);
            assertThat(end.kind()).isEqualTo(EndKind.INVALID_INPUT);
            assertThat(end.cause()).contains("asked=" + (MAX + 1) + " max=" + MAX);
            assertThat(node.connected()).containsExactly(other.name());
            assertThat(signals.links(box)).containsExactly(linked.pid());
        }
    }
}
