package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that is too long for a node costs its peer neither the connection nor links and monitors, and is counted. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedMessageKeepsLinksTest {
    private static final Pid OTHER = ScriptedPeer.pid(1);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Atom BOOM = Atom.of("boom");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void receive_ofAMessageBeyondALimit_keepsLinksAndMonitors(boolean byLimitOfTerms) throws Exception {
        try (LogLines log = new LogLines();
                Nodes nodes = new Nodes()) {
            NodeBuilder limited = byLimitOfTerms
                    ? nodes.builder("node").limits(DecodeLimits.DEFAULT.withMaxBytes(1 << 20))
                    : nodes.builder("node").maxFrameBytes(1 << 20);
            LocalNode node = nodes.start(limited);
            try (ScriptedPeer peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true))
                            .read();
                    Mailbox box = node.mailbox()) {
                box.link(OTHER);
                Ref monitor = box.monitor(OTHER);
                peer.message(box.pid(), Binary.of(new byte[3 << 20]));
                peer.roundTrip(box, "after");
                peer.send(Tuple.of(Int.of(Control.PAYLOAD_EXIT), OTHER, box.pid()), BOOM);
                peer.send(Tuple.of(Int.of(Control.PAYLOAD_MONITOR_P_EXIT), OTHER, box.pid(), monitor), BOOM);
                assertThat(box.receive(LONG)).isEqualTo(Tuple.of(Atom.of("EXIT"), OTHER, BOOM));
                assertThat(box.receive(LONG))
                        .isEqualTo(Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), OTHER, BOOM));
                assertThat(node.stats().dropped()).isEqualTo(1);
                log.await(
                        "message is too long and was skipped: node=node@localhost", line -> line.startsWith("WARNING"));
                assertThat(node.peers().all())
                        .extracting(Connection::refusedMessages)
                        .containsExactly(1L);
            }
        }
    }

    /** Both nodes as they are by default, and a message that was too long for them once. */
    @Test
    void send_ofMoreThan64MiB_arrives() throws Exception {
        try (Nodes nodes = new Nodes()) {
            Mailbox from = nodes.start("from").mailbox();
            Mailbox to = nodes.start("to").mailbox();
            Term message = Binary.of(new byte[70_000_000]);
            from.send(to.pid(), message);
            assertThat(message.equals(to.receive(Duration.ofSeconds(60)))).isTrue();
        }
    }
}
