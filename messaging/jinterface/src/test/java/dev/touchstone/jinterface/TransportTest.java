package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ericsson.otp.erlang.OtpConnection;
import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpGenericTransportFactory;
import com.ericsson.otp.erlang.OtpLocalNode;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import com.ericsson.otp.erlang.OtpPeer;
import com.ericsson.otp.erlang.OtpSelf;
import com.ericsson.otp.erlang.OtpServerSocketTransport;
import com.ericsson.otp.erlang.OtpServerTransport;
import com.ericsson.otp.erlang.OtpSocketTransport;
import com.ericsson.otp.erlang.OtpSocketTransportFactory;
import com.ericsson.otp.erlang.OtpTransport;
import com.ericsson.otp.erlang.OtpTransportFactory;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes whose connections a program's own factory makes, and two nodes of the kind with one connection each. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransportTest {
    private static final long WAIT = 20_000;

    @Test
    void send_overAFactoryWithPorts_goesThroughTheFactory() throws Exception {
        AtomicInteger made = new AtomicInteger();
        OtpTransportFactory counting = new OtpSocketTransportFactory() {
            @Override
            public OtpTransport createTransport(String address, int port) throws IOException {
                made.incrementAndGet();
                return super.createTransport(address, port);
            }
        };
        try (EpmdServer epmd = EpmdServer.start(0)) {
            OtpEpmd.useEpmdPort(epmd.port());
            exchange(new OtpNode("f1@localhost", "secret", counting), new OtpNode("f2@localhost", "secret", counting));
            assertThat(made).hasPositiveValue();
            assertThat(OtpEpmd.lookupNames(InetAddress.getLoopbackAddress(), counting))
                    .isEmpty();
        }
    }

    @Test
    void send_overAFactoryWithoutPorts_findsTheNodeByTheFactory() throws Exception {
        exchange(
                new OtpNode("g1@localhost", "secret", new Registry()),
                new OtpNode("g2@localhost", "secret", new Registry()));
    }

    private static void exchange(OtpNode here, OtpNode there) throws Exception {
        OtpMbox box = here.createMbox("box");
        OtpMbox other = there.createMbox("other");
        OtpErlangBinary large = new OtpErlangBinary(new byte[1 << 20]);
        OtpErlangObject[] request = {box.self(), large};
        box.send("other", there.node(), new OtpErlangTuple(request));
        OtpErlangTuple got = (OtpErlangTuple) other.receive(WAIT);
        assertThat(got).isEqualTo(new OtpErlangTuple(request));
        other.send(box.self(), new OtpErlangAtom("thanks"));
        assertThat(box.receive(WAIT)).isEqualTo(new OtpErlangAtom("thanks"));
        assertThat(here.ping(there.node(), WAIT)).isTrue();
        here.close();
        there.close();
    }

    @Test
    void accept_ofAConnection_givesOneAtEachEnd() throws Exception {
        try (EpmdServer epmd = EpmdServer.start(0)) {
            OtpEpmd.useEpmdPort(epmd.port());
            OtpSelf server = new OtpSelf("server@localhost", "secret");
            assertThat(server.publishPort()).isTrue();
            OtpSelf client = new OtpSelf("client@localhost", "secret");
            OtpConnection out = client.connect(new OtpPeer("server@localhost"));
            OtpConnection in = server.accept();
            assertThat(in.peer().node()).isEqualTo("client@localhost");
            out.send("whoever", new OtpErlangAtom("hello"));
            assertThat(in.receiveMsg(WAIT).getRecipientName()).isEqualTo("whoever");
            in.send(client.pid(), new OtpErlangAtom("back"));
            assertThat(out.receive(WAIT)).isEqualTo(new OtpErlangAtom("back"));
            in.close();
            assertThatThrownBy(() -> out.receive(WAIT))
                    .isInstanceOf(OtpErlangExit.class)
                    .hasMessage("'Remote has closed connection'")
                    .hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> out.receive(WAIT)).isInstanceOf(IOException.class);
            server.unPublishPort();
        }
    }

    @Test
    void deliver_ofMoreThanAMailboxHolds_stopsTheConnectionUntilSomeWereReceived() throws Exception {
        OtpErlangBinary large = new OtpErlangBinary(new byte[1 << 20]);
        int most = (int) (MailboxLimits.DEFAULT.maxBytes() >> 20) + 1;
        int sent = most + 32; // more than the sockets and the sender hold
        try (EpmdServer epmd = EpmdServer.start(0)) {
            OtpEpmd.useEpmdPort(epmd.port());
            OtpSelf server = new OtpSelf("full@localhost", "secret");
            assertThat(server.publishPort()).isTrue();
            OtpConnection out = new OtpSelf("flood@localhost", "secret").connect(new OtpPeer("full@localhost"));
            OtpConnection in = server.accept();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < sent; i++) {
                    send(out, large);
                }
            });
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3 * WAIT);
            while (in.msgCount() < most - 1 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(100_000);
            }
            // a node that can be pinged has read what came before over other connections
            assertThat(new OtpNode("asks@localhost", "secret").ping("full@localhost", WAIT))
                    .isTrue();
            assertThat(sending).isNotDone();
            for (int i = 0; i < sent; i++) {
                assertThat(in.msgCount()).isBetween(0, most);
                assertThat(((OtpErlangBinary) in.receive(WAIT)).size()).isEqualTo(1 << 20);
            }
            sending.get(WAIT, TimeUnit.MILLISECONDS);
            server.unPublishPort();
        }
    }

    @Test
    void accept_ofConnectionsThatHaveEnded_givesTheLatestWhoseMessagesFit() throws Exception {
        OtpErlangBinary large = new OtpErlangBinary(new byte[(int) (MailboxLimits.DEFAULT.maxBytes() / 3)]);
        OtpErlangPid nobody = new OtpErlangPid("busy@localhost", 9999, 0, 1);
        try (EpmdServer epmd = EpmdServer.start(0)) {
            OtpEpmd.useEpmdPort(epmd.port());
            OtpSelf server = new OtpSelf("busy@localhost", "secret");
            assertThat(server.publishPort()).isTrue();
            OtpSelf client = new OtpSelf("brief@localhost", "secret");
            for (int i = 0; i < 4; i++) {
                OtpConnection out = client.connect(new OtpPeer("busy@localhost"));
                out.send("whoever", new OtpErlangLong(i));
                out.send("whoever", large);
                out.link(nobody); // the answer tells that all was read
                assertThatThrownBy(() -> out.receive(WAIT)).isInstanceOf(OtpErlangExit.class);
                out.close();
            }
            OtpConnection last = client.connect(new OtpPeer("busy@localhost"));
            last.send("whoever", new OtpErlangLong(4));
            last.link(nobody);
            assertThatThrownBy(() -> last.receive(WAIT)).isInstanceOf(OtpErlangExit.class);
            OtpConnection in = server.accept();
            OtpErlangLong first = (OtpErlangLong) in.receive(WAIT);
            assertThat(first.intValue()).isBetween(1, 2); // 1 where the end of the last but one is being told just now
            for (int i = first.intValue(); i < 4; i++) {
                assertThat(in.receive(WAIT)).isEqualTo(large);
                in = server.accept();
                assertThat(in.receive(WAIT)).isEqualTo(new OtpErlangLong(i + 1));
            }
            server.unPublishPort();
        }
    }

    @Test
    void accept_ofConnectionsInQuickSuccession_endsEachOfThemBehindItsMessage() throws Exception {
        int rounds = 1000;
        OtpErlangPid nobody = new OtpErlangPid("quick@localhost", 9999, 0, 1);
        try (EpmdServer epmd = EpmdServer.start(0)) {
            OtpEpmd.useEpmdPort(epmd.port());
            OtpSelf server = new OtpSelf("quick@localhost", "secret");
            assertThat(server.publishPort()).isTrue();
            OtpSelf client = new OtpSelf("again@localhost", "secret");
            OtpConnection before = null;
            for (int i = 0; i < rounds; i++) {
                OtpConnection out = client.connect(new OtpPeer("quick@localhost"));
                if (before != null) {
                    before.close(); // again: this must not end the new one
                }
                out.send("whoever", new OtpErlangLong(i));
                out.link(nobody); // the answer tells that all was read
                assertThatThrownBy(() -> out.receive(WAIT))
                        .isInstanceOf(OtpErlangExit.class)
                        .hasMessage("noproc");
                out.close();
                before = out;
            }
            for (int i = 0; i < rounds; i++) {
                OtpConnection in = server.accept();
                assertThat(in.receive(WAIT)).isEqualTo(new OtpErlangLong(i));
                assertThatThrownBy(() -> in.receive(WAIT)).isInstanceOf(OtpErlangExit.class);
            }
            server.unPublishPort();
        }
    }

    private static void send(OtpConnection out, OtpErlangObject message) {
        try {
            out.send("whoever", message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connections over TCP that are found by the names of nodes. */
    private static final class Registry extends OtpGenericTransportFactory {
        private static final Map<String, Integer> PORTS = new ConcurrentHashMap<>();

        @Override
        public OtpTransport createTransport(OtpPeer peer) throws IOException {
            return new OtpSocketTransport(InetAddress.getLoopbackAddress(), PORTS.get(peer.node()));
        }

        @Override
        public OtpServerTransport createServerTransport(OtpLocalNode node) throws IOException {
            OtpServerSocketTransport server = new OtpServerSocketTransport(0);
            PORTS.put(node.node(), server.getLocalPort());
            return server;
        }
    }
}
