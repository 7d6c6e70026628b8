package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages for nobody, and monitors of nobody. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadPidTest {
    private static final Atom NONE = Atom.of("");

    private Nodes nodes;
    private LocalNode node;
    private ScriptedPeer peer;
    private LocalMailbox box;
    private Pid dead;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        peer = ScriptedPeer.dial(node, DistFlags.MANDATORY | DistFlags.DIST_MONITOR | DistFlags.ALIAS)
                .read();
        box = node.mailbox();
        LocalMailbox ended = node.mailbox();
        dead = ended.pid();
        ended.close();
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        nodes.close();
    }

    private static byte[] frame(Tuple control, int... payload) {
        TermWriter out = new TermWriter(256);
        out.putInt(0);
        out.putByte(112);
        out.writeVersion();
        out.write(control);
        for (int each : payload) {
            out.putByte(each);
        }
        out.putIntAt(0, out.position() - Integer.BYTES);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Bytes that are no term are noticed only where somebody is to get them. */
    @Test
    void message_forNobody_isDroppedUnread() throws Exception {
        Term[] receivers = {dead, Atom.of("nobody"), ScriptedPeer.ref(1)};
        peer.sendBytes(frame(Tuple.of(Int.of(Control.SEND), NONE, receivers[0]), 131, 0));
        peer.sendBytes(frame(Tuple.of(Int.of(Control.REG_SEND), ScriptedPeer.pid(1), NONE, receivers[1]), 131, 0));
        peer.sendBytes(frame(Tuple.of(Int.of(Control.ALIAS_SEND), ScriptedPeer.pid(1), receivers[2]), 131, 0));
        for (Term receiver : receivers) {
            peer.sendBytes(
                    frame(Tuple.of(Int.of(Control.ALTACT_SIG_SEND), Int.of(0), ScriptedPeer.pid(1), receiver), 131, 0));
        }
        peer.roundTrip(box, "all were handled");
        assertThat(node.router().dropped()).isEqualTo(2L * receivers.length);
        assertThat(node.router().malformed()).isZero();
    }

    @Test
    void monitors_ofADeadPid_areAllAnswered() throws Exception {
        int count = 5_000;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(frame(Tuple.of(Int.of(Control.MONITOR_P), ScriptedPeer.pid(1), dead, ScriptedPeer.ref(i))));
        }
        peer.sendBytes(all.toByteArray());
        Nodes.await(
                "all were answered",
                () -> peer.seen().stream()
                                .filter(seen -> seen.operation() == Control.MONITOR_P_EXIT
                                        || seen.operation() == Control.PAYLOAD_MONITOR_P_EXIT)
                                .count()
                        == count);
    }
}
