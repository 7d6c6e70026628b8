package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that closes its connection and connects again at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconnectTest {
    private static final int RECONNECTS = 100;

    private final AtomicInteger alive = new AtomicInteger();
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private Carrier dial(Dialer dialer, Node node) throws IOException {
        HandshakeOptions options = new HandshakeOptions(
                ScriptedPeer.NAME, 1, DistFlags.ANNOUNCED, Nodes.COOKIE, null, new SecureRandom(), false);
        return dialer.dial(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()),
                        node.name(),
                        Carrier.Wrapping.NONE,
                        Handshake.initiator(options, () -> alive.incrementAndGet() > 0),
                        ScriptedPeer.WAIT_NANOS,
                        () -> {})
                .carrier();
    }

    /** Some clients, such as Rust's erl_dist, cannot go on with a handshake that is answered with {@code alive}. */
    @Test
    void reconnect_behindTheEndOfTheLastConnection_isNotAskedWhetherThatIsLost() throws Exception {
        try (Node node = nodes.start("node");
                Mailbox box = node.mailbox();
                Dialer dialer = new Dialer()) {
            for (int i = 0; i < RECONNECTS; i++) {
                dial(dialer, node).close();
            }
            assertThat(alive.get()).as("a busy machine may read an end late").isLessThan(RECONNECTS / 2);
            Nodes.await("the last end is read", () -> node.connected().isEmpty());
            box.send(box.pid(), Atom.of("still"));
            assertThat(box.receive()).isEqualTo(Atom.of("still"));
        }
    }

    /** Checks that nothing is sent over an ended connection while those who watch are told of its end: it would be lost. */
    @Test
    void send_whileTheEndOfTheConnectionIsTold_doesNotGoOverIt() throws Exception {
        LocalNode node = nodes.start("node");
        Node peer = nodes.start("peer");
        Pid there = peer.mailbox().pid();
        try (Mailbox box = node.mailbox()) {
            node.connect(peer.name());
            Connection connection = requireNonNull(node.peers().find(peer.name().atom()));
            synchronized (node.signals()) { // nobody is told to the end, and the connection stays listed
                peer.close();
                Nodes.await("the end of the connection is read", () -> !connection.isOpen());
                assertThat(node.peers().isInUse(connection)).isTrue();
                assertThatThrownBy(() -> box.send(there, Atom.OK)).isInstanceOf(MessagingException.Unreachable.class);
                assertThatThrownBy(() -> box.send("name", peer.name(), Atom.OK))
                        .isInstanceOf(MessagingException.Unreachable.class);
                assertThat(box.trySend(there, Atom.OK)).isFalse();
                assertThat(box.trySend("name", peer.name(), Atom.OK)).isFalse();
            }
            Nodes.await("all are told", () -> !node.peers().isInUse(connection));
        }
    }

    /** A peer whose last connection is half open is still asked, and takes that connection's place. */
    @Test
    void reconnect_besideAnOpenConnection_isAskedAndTakesItsPlace() throws Exception {
        try (Node node = nodes.start("node");
                Dialer dialer = new Dialer();
                Carrier lost = dial(dialer, node)) {
            Nodes.await("the node knows the connection", () -> node.connected().contains(ScriptedPeer.NAME));
            try (Carrier next = dial(dialer, node)) {
                assertThat(alive.get()).isEqualTo(1);
                Nodes.await(
                        "one connection is replaced",
                        () -> !node.stats().ended().isEmpty());
                Nodes.await(
                        "the next connection is listed in its place",
                        () -> node.connected().equals(Set.of(ScriptedPeer.NAME)));
                assertThat(next).isNotSameAs(lost);
            }
        }
    }
}
