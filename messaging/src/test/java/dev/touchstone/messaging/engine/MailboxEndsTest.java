package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a mailbox in the middle of which a fault occurs, and signals about monitors of other nodes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MailboxEndsTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Atom REASON = Atom.of("reason");
    private static final Atom THIRD = Atom.of("third@localhost");

    private Nodes nodes;
    private LocalNode node;
    private SignalDispatcher signals;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        signals = node.signals();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    /** Fails when it is told of its first exits. */
    private static final class Failing implements Receiver {
        private final List<Term> exits = new ArrayList<>();
        private int failures;

        Failing(int failures) {
            this.failures = failures;
        }

        synchronized int told() {
            return exits.size();
        }

        @Override
        public void message(@Nullable String peer, @Nullable Pid from, @Nullable Term to, byte[] message) {}

        @Override
        public synchronized void exit(Pid from, Term reason, boolean linked) {
            if (failures-- > 0) {
                throw new OutOfMemoryError("as if");
            }
            exits.add(reason);
        }
    }

    @Test
    void end_thatAFaultInterrupts_isToldToAllLater() throws Exception {
        Failing failing = new Failing(1);
        LocalMailbox first = node.mailbox();
        first.inbox().receiver(failing);
        LocalMailbox linked = node.mailbox();
        LocalMailbox watcher = node.mailbox();
        LocalMailbox ending = node.mailbox("ending");
        ending.link(first.pid());
        ending.link(linked.pid());
        Ref monitor = watcher.monitor(ending.pid());

        assertThatThrownBy(() -> ending.close(REASON)).isInstanceOf(OutOfMemoryError.class);
        assertThat(ending.isClosed()).isTrue();
        assertThat(node.whereis("ending")).isNull();
        signals.finishEnds(); // unless the node has begun with it by itself
        while (failing.told() == 0) {
            LockSupport.parkNanos(100_000);
        }

        assertThat(linked.receive(LONG)).isEqualTo(Tuple.of(WellKnownAtoms.EXIT, ending.pid(), REASON));
        assertThat(linked.receive(SHORT)).isNull();
        assertThat(SignalDispatcher.isDown(requireNonNull(watcher.receive(LONG)), monitor))
                .isTrue();
        signals.finishEnds();
        assertThat(failing.told()).isEqualTo(1);
        assertThat(watcher.receive(SHORT)).isNull();
        node.mailbox("ending").close();
    }

    @Test
    void monitor_ofAnotherNode_isNeitherReplacedNorEnded() {
        LocalMailbox box = node.mailbox();
        Ref monitor = Ref.of(ScriptedPeer.NAME.atom(), 1, 7, 0, 0);
        signals.onMonitor(ScriptedPeer.pid(1), box.pid(), monitor);
        signals.onMonitor(Pid.of(THIRD, 1, 0, 1), box.pid(), monitor);
        signals.onDemonitor(THIRD, box.pid(), monitor);
        assertThat(requireNonNull(box.bonds().watchers.get(monitor)).pid()).isEqualTo(ScriptedPeer.pid(1));
        signals.onDemonitor(ScriptedPeer.NAME.atom(), box.pid(), monitor);
        assertThat(box.bonds().watchers).isEmpty();
    }

    @Test
    void down_ofAnotherNode_isIgnored() throws Exception {
        LocalMailbox box = node.mailbox();
        Ref monitor = node.newRef();
        signals.expectDown(box, monitor, ScriptedPeer.pid(1), ScriptedPeer.NAME.atom());
        signals.onDown(THIRD, box.pid(), monitor, null, REASON);
        assertThat(box.receive(SHORT)).isNull();
        signals.onDown(ScriptedPeer.NAME.atom(), box.pid(), monitor, null, REASON);
        assertThat(SignalDispatcher.isDown(requireNonNull(box.receive(LONG)), monitor))
                .isTrue();
    }
}
