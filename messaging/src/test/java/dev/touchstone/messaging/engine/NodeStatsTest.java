package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.stats.Traffic;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of a node's connections, the causes for which connections ended, and the lines in the log. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeStatsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int MAX_RECENT = 64;

    @TempDir
    Path folder;

    private final LogLines log = new LogLines();
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
        log.close();
    }

    private static ConnectionStats only(Node node) {
        assertThat(node.stats().peers()).hasSize(1);
        return node.stats().peers().get(0);
    }

    private static ConnectionEnd onlyEnd(Node node) {
        Nodes.await("a connection has ended", () -> !node.stats().recentEnds().isEmpty());
        List<ConnectionEnd> ends = node.stats().recentEnds();
        assertThat(ends).hasSize(1);
        return ends.get(0);
    }

    @Test
    void stats_ofAConnection_countsItsFramesAndBytes() throws Exception {
        Instant before = Instant.now();
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        Mailbox server = a.mailbox("server");
        Mailbox client = b.mailbox();
        int messages = 100;
        int bytes = 1000;
        for (int i = 0; i < messages; i++) {
            client.send("server", a.name(), Binary.of(new byte[bytes]));
            assertThat(server.receive(LONG)).isNotNull();
        }
        ConnectionStats in = only(a);
        ConnectionStats out = only(b);
        assertThat(in.peer()).isEqualTo(b.name());
        assertThat(in.since()).isBetween(before.minusSeconds(1), Instant.now());
        assertThat(in.tls()).isFalse();
        assertThat(in.hidden()).isTrue();
        assertThat(in.traffic().framesIn()).isEqualTo(messages);
        assertThat(in.traffic().framesOut()).isZero();
        assertThat(in.traffic().bytesIn()).isBetween((long) messages * bytes, (long) messages * (bytes + 200));
        Nodes.await(
                "all bytes are counted",
                () -> only(b).traffic().bytesOut() == in.traffic().bytesIn());
        assertThat(out.traffic().framesOut()).isEqualTo(messages);
        assertThat(out.pendingBytes()).isZero();
        assertThat(b.stats().pendingBytes()).isZero();
        assertThat(a.stats().traffic().framesIn()).isEqualTo(messages);
    }

    @Test
    void stats_ofAnIdleConnection_countsTicks() throws Exception {
        Node a = nodes.start(nodes.builder("a").tickTime(Duration.ofSeconds(1)));
        Node b = nodes.start(nodes.builder("b").tickTime(Duration.ofSeconds(1)));
        a.connect(b.name());
        Nodes.await("ticks in both directions", () -> {
            Traffic traffic = only(a).traffic();
            return traffic.ticksIn() > 1 && traffic.ticksOut() > 1;
        });
        assertThat(only(a).traffic().framesIn() + only(a).traffic().framesOut()).isZero();
    }

    @Test
    void stats_ofAConnectionOverTls_tellsSo() throws Exception {
        SSLContext context = Certificates.context(folder, "both");
        Node a = nodes.start(nodes.builder("a").tls(context).hidden(false));
        Node b = nodes.start(nodes.builder("b").tls(context).hidden(false));
        a.connect(b.name());
        assertThat(only(a).tls()).isTrue();
        assertThat(only(a).hidden()).isFalse();
    }

    @Test
    void stats_whilePeerDoesNotRead_showsPendingBytes() throws Exception {
        Node a = nodes.start("a");
        try (MutePeer peer = MutePeer.connect(a, "silent@localhost")) {
            Mailbox from = a.mailbox();
            Pid to = Pid.of(Atom.of("silent@localhost"), 1, 0, 1);
            Binary message = Binary.of(new byte[64 << 10]);
            while (from.trySend(to, message)) {
                // until the high-water mark
            }
            assertThat(a.stats().pendingBytes()).isGreaterThanOrEqualTo(1 << 20);
            assertThat(peer.isOpen()).isTrue();
        }
    }

    @Test
    void disconnect_endsTheConnectionAndItsLinksAndMonitors() throws Exception {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        Mailbox watching = a.mailbox();
        Mailbox watched = b.mailbox("watched");
        watching.link(watched.pid());
        Ref monitor = watching.monitor(watched.pid());
        watching.monitorNode(b.name());
        watching.send(watched.pid(), Atom.of("hello"));
        assertThat(watched.receive(LONG)).isEqualTo(Atom.of("hello"));

        assertThat(a.disconnect(b.name())).isTrue();

        Atom noconnection = Atom.of("noconnection");
        assertThat(List.of(
                        requireNonNull(watching.receive(LONG)),
                        requireNonNull(watching.receive(LONG)),
                        requireNonNull(watching.receive(LONG))))
                .containsExactlyInAnyOrder(
                        Tuple.of(Atom.of("EXIT"), watched.pid(), noconnection),
                        Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), watched.pid(), noconnection),
                        Tuple.of(Atom.of("nodedown"), b.name().atom()));
        assertThat(a.connected()).isEmpty();
        assertThat(a.disconnect(b.name())).isFalse();
        assertThat(a.disconnect(NodeName.parse("nobody@localhost"))).isFalse();
        assertThat(onlyEnd(a).kind()).isEqualTo(EndKind.CLOSED_HERE);
        assertThat(onlyEnd(b).kind()).isEqualTo(EndKind.CLOSED_BY_PEER);
        assertThat(onlyEnd(b).cause()).contains("closed by its peer");
        assertThat(watched.receive(LONG)).isEqualTo(Tuple.of(Atom.of("EXIT"), watching.pid(), noconnection));
        log.await("connection ended: node=b@localhost", line -> line.startsWith("FINE"));

        watching.send(watched.pid(), Atom.of("again"));
        assertThat(watched.receive(LONG)).isEqualTo(Atom.of("again"));
        assertThat(a.stats().ended()).containsOnly(java.util.Map.entry(EndKind.CLOSED_HERE, 1L));
    }

    @Test
    void stats_afterAPeerSentNonsense_tellWhy() throws Exception {
        Node a = nodes.start("a");
        try (MutePeer peer = MutePeer.connect(a, "liar@localhost")) {
            peer.write(new byte[] {0, 0, 0, 1, 0x7f});
            ConnectionEnd end = onlyEnd(a);
            assertThat(end.kind()).isEqualTo(EndKind.INVALID_INPUT);
            assertThat(end.kind().isOrderly()).isFalse();
            assertThat(end.cause()).contains("connection ended by what it received", "peer=liar@localhost");
            assertThat(end.connection().peer()).isEqualTo(NodeName.parse("liar@localhost"));
            assertThat(end.connection().traffic().bytesIn()).isEqualTo(5);
            log.await("connection ended: node=a@localhost peer=liar@localhost", line -> line.startsWith("WARNING"));
        }
    }

    @Test
    void stats_afterAPeerFellSilent_tellWhy() throws Exception {
        Node a = nodes.start(nodes.builder("a").tickTime(Duration.ofMillis(200)));
        try (MutePeer peer = MutePeer.connect(a, "silent@localhost")) {
            assertThat(onlyEnd(a).kind()).isEqualTo(EndKind.SILENT);
            assertThat(onlyEnd(a).cause()).contains("no tick");
            assertThat(peer.isOpen()).isTrue();
        }
    }

    @Test
    void stats_ofManyEnds_keepTheLatestAndCountAll() throws Exception {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        int rounds = MAX_RECENT + 10;
        for (int i = 0; i < rounds; i++) {
            a.connect(b.name());
            assertThat(a.disconnect(b.name())).isTrue();
            Nodes.await("b has seen it", () -> b.connected().isEmpty());
        }
        assertThat(a.stats().recentEnds()).hasSize(MAX_RECENT);
        assertThat(a.stats().ended()).containsEntry(EndKind.CLOSED_HERE, (long) rounds);
        List<Instant> times =
                a.stats().recentEnds().stream().map(ConnectionEnd::at).toList();
        assertThat(times).isSorted();
    }

    @Test
    void stats_whileConnectionsComeAndGo_neverCountBackwards() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        LocalNode a = nodes.start("a");
        Node b = nodes.start("b");
        Mailbox from = a.mailbox();
        Mailbox to = b.mailbox("to");
        from.send("to", b.name(), Binary.of(new byte[1])); // of those below, perhaps none is sent before it is cut
        Nodes.await("a frame was sent", () -> a.stats().traffic().framesOut() > 0);
        Thread cutting = new Thread(() -> {
            while (!a.isClosed()) {
                a.disconnect(b.name());
            }
        });
        cutting.start();
        Traffic last = Traffic.NONE;
        for (int i = 0; i < 2000; i++) {
            try {
                from.send("to", b.name(), Binary.of(new byte[random.nextInt(100)]));
            } catch (MessagingException.Unreachable beingCut) {
                // the next one may arrive
            }
            Traffic now = a.stats().traffic();
            assertThat(now.bytesOut()).isGreaterThanOrEqualTo(last.bytesOut());
            assertThat(now.framesOut()).isGreaterThanOrEqualTo(last.framesOut());
            last = now;
        }
        a.close();
        cutting.join();
        to.close();
        assertThat(last.framesOut()).isPositive();
    }

    @Test
    void log_ofAConnection_isQuietAndHasNoSecret() throws Exception {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        a.connect(b.name());
        log.await("connected: node=b@localhost peer=a@localhost", line -> line.startsWith("FINE"));
        a.close();
        log.await("connection ended: node=b@localhost", line -> line.startsWith("FINE"));
        log.await("node closed: node=a@localhost", line -> line.startsWith("FINE"));
        assertThat(log.with("node started: node=a@localhost"))
                .singleElement()
                .asString()
                .startsWith("FINE");
        assertThat(log.with("secret")).isEmpty();
    }

    @Test
    void handshakes_thatFail_areCountedAndLoggedWithABound() throws Exception {
        Node a = nodes.start("a");
        Node stranger = nodes.start(nodes.builder("b").cookie(Cookie.of("hunter2")));
        assertThatThrownBy(() -> stranger.connect(a.name())).isInstanceOf(IOException.class);
        log.await("handshake refused: node=a@localhost", line -> line.startsWith("WARNING"));
        int sockets = 50;
        for (int i = 0; i < sockets; i++) {
            new Socket(InetAddress.getLoopbackAddress(), a.port()).close();
        }
        Nodes.await("all are counted", () -> a.stats().refused() == sockets + 1);
        assertThat(log.with("handshake refused: node=a@localhost")).hasSizeLessThanOrEqualTo(20);
        assertThat(IntStream.of(0, 1).mapToObj(i -> i == 0 ? "secret" : "hunter2"))
                .allMatch(secret -> log.with(secret).isEmpty());
    }

    @Test
    void message_thatCannotBeRead_isCountedAndLogged() throws Exception {
        Node a = nodes.start("a");
        Mailbox box = a.mailbox("box");
        try (MutePeer peer = MutePeer.connect(a, "liar@localhost")) {
            peer.regSend("box", new byte[] {(byte) 131, 104, 1}); // a tuple of one element, which is missing
            assertThatThrownBy(() -> box.receive(LONG)).isInstanceOf(MessagingException.Malformed.class);
            assertThat(a.stats().malformed()).isEqualTo(1);
            log.await(
                    "message cannot be read: node=a@localhost peer=liar@localhost", line -> line.startsWith("WARNING"));
        }
    }

    @Test
    void request_ofNoKnownForm_isCountedAndLogged() throws Exception {
        Node a = nodes.start("a");
        try (MutePeer peer = MutePeer.connect(a, "liar@localhost")) {
            peer.regSend("rex", TermWriter.encode(Atom.of("nonsense")));
            Nodes.await("it is counted", () -> a.stats().rejected() == 1);
            assertThat(a.stats().dropped()).isZero();
            log.await("request rejected: node=a@localhost", line -> line.startsWith("WARNING"));
        }
    }
}
