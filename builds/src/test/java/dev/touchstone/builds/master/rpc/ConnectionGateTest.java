package dev.touchstone.builds.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("AddressSelection") // addresses, not names
class ConnectionGateTest {
    private static final Reception.Complaints NONE = new Reception.Complaints() {
        @Override
        public void malformed(@Nullable String reason) {}

        @Override
        public void refused(String reason) {}
    };

    private static Socket connect(InetSocketAddress from, String to, int port) throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(from);
        socket.connect(new InetSocketAddress(to, port));
        return socket;
    }

    @Test
    void keep_twoConnectionsOfOneAddress_closesBoth() throws Exception {
        ConnectionGate gate = new ConnectionGate(Optional.empty(), Duration.ofHours(1), NONE);
        Caller caller = new Caller("alice", Set.of(Role.SUBMIT), "0".repeat(64));
        try (ServerSocket listening = gate.createServerSocket()) {
            listening.bind(new InetSocketAddress("0.0.0.0", 0), 10);
            int port = listening.getLocalPort();
            try (Socket one = connect(new InetSocketAddress("127.0.0.1", 0), "127.0.0.1", port);
                    Socket first = listening.accept();
                    Socket other = connect(new InetSocketAddress("127.0.0.1", one.getLocalPort()), "127.0.0.2", port);
                    Socket second = listening.accept()) {
                assertThat(first.getRemoteSocketAddress()).isEqualTo(second.getRemoteSocketAddress());
                assertThat(other.isConnected()).isTrue();
                assertThat(gate.admit((GuestSocket) first, caller)).isTrue();
                assertThat(gate.admit((GuestSocket) second, caller)).isTrue();
                gate.keep(of -> false);
                assertThat(first.isClosed()).isTrue();
                assertThat(second.isClosed()).isTrue();
            }
        }
    }

    /** A socket of a connection that has ended, which cannot even be closed. */
    private static final class BrokenSocket extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            throw new SocketException("Socket is not connected");
        }

        @Override
        public synchronized void close() throws IOException {
            throw new IOException("Connection reset by peer");
        }
    }

    @Test
    void let_connectionThatCannotBeClosed_isRefusedOnly() {
        List<String> refused = new ArrayList<>();
        ConnectionGate gate = new ConnectionGate(Optional.empty(), Duration.ofHours(1), new Reception.Complaints() {
            @Override
            public void malformed(@Nullable String reason) {}

            @Override
            public void refused(String reason) {
                refused.add(reason);
            }
        });
        assertThat(gate.let(new BrokenSocket())).isNull();
        assertThat(refused).containsExactly("connection cannot be accepted: Socket is not connected");
    }

    @Test
    void connection_withMoreThanItsShare_isGreedyAsLongAsRoomIsScarce() throws Exception {
        ConnectionGate gate = new ConnectionGate(Optional.empty(), Duration.ofHours(1), NONE);
        try (ServerSocket listening = gate.createServerSocket()) {
            listening.bind(new InetSocketAddress("127.0.0.1", 0), 10);
            int port = listening.getLocalPort();
            try (Socket one = connect(new InetSocketAddress("127.0.0.1", 0), "127.0.0.1", port);
                    GuestSocket first = (GuestSocket) listening.accept();
                    Socket other = connect(new InetSocketAddress("127.0.0.1", 0), "127.0.0.1", port);
                    GuestSocket second = (GuestSocket) listening.accept()) {
                assertThat(one.isConnected() && other.isConnected()).isTrue();
                first.waiting().frame(1, Math.toIntExact(ConnectionGate.MAX_WAITING_BYTES / 2));
                assertThat(gate.isGreedy(first)).isFalse();
                second.waiting().frame(1, 1);
                assertThat(gate.isGreedy(first)).isTrue();
                assertThat(gate.isGreedy(second)).isFalse();
                first.waiting().end();
                assertThat(gate.isGreedy(first)).isFalse();
            }
        }
    }

    @Test
    void admit_ofMoreConnectionsThanATokenMayHave_isNotLetIn() throws Exception {
        ConnectionGate gate = new ConnectionGate(Optional.empty(), Duration.ofHours(1), NONE);
        Caller alice = new Caller("alice", Set.of(Role.READ), "0".repeat(64));
        Caller bob = new Caller("bob", Set.of(Role.READ), "1".repeat(64));
        List<Socket> open = new ArrayList<>();
        try (ServerSocket listening = gate.createServerSocket()) {
            listening.bind(new InetSocketAddress("127.0.0.1", 0), 10);
            for (int i = 0; i < ConnectionGate.MAX_TOKEN_CONNECTIONS; i++) {
                assertThat(gate.admit(accept(listening, open), alice)).isTrue();
            }
            GuestSocket first = (GuestSocket) open.get(1);
            assertThat(gate.admit(first, alice)).as("again").isTrue();
            GuestSocket further = accept(listening, open);
            assertThat(gate.admit(further, alice)).isFalse();
            assertThat(further.isClosed()).isTrue();
            assertThat(gate.admit(accept(listening, open), bob)).isTrue();
            first.close();
            assertThat(gate.admit(accept(listening, open), alice)).isTrue();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    /** Returns the master's end of a new connection; both ends are added to those that are open. */
    private static GuestSocket accept(ServerSocket listening, List<Socket> open) throws IOException {
        open.add(connect(new InetSocketAddress("127.0.0.1", 0), "127.0.0.1", listening.getLocalPort()));
        GuestSocket accepted = (GuestSocket) listening.accept();
        open.add(accepted);
        return accepted;
    }
}
