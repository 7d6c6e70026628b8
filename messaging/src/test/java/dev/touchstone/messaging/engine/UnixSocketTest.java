package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixSocketTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final NodeName A = NodeName.parse("a@localhost");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("a.socket");
    }

    /** One that knows no port mapper, and finds {@code a} by its socket. */
    private NodeBuilder builder(String alive) {
        return Node.builder(alive + "@localhost")
                .cookie(Nodes.COOKIE)
                .tcp(false)
                .resolver(new StaticResolver(Map.of(A, UnixDomainSocketAddress.of(file))));
    }

    private static void assertEchoes(Node serving, Node asking, byte[] body) throws InterruptedException {
        try (Mailbox server = serving.mailbox("echo");
                Mailbox client = asking.mailbox()) {
            client.send("echo", serving.name(), Tuple.of(client.pid(), Binary.of(body)));
            Tuple request = (Tuple) requireNonNull(server.receive(LONG));
            server.send((Pid) request.get(0), request.get(1));
            assertThat(client.receive(LONG)).isEqualTo(Binary.of(body));
        }
    }

    @Test
    void nodes_withoutTcpAndPortMapper_exchangeSmallAndLargeMessages() throws Exception {
        try (Node a = builder("a").unixSocket(file).start();
                Node b = builder("b").start()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(a.port()).isZero();
            assertThat(a.isRegistered()).isFalse();
            assertEchoes(a, b, new byte[] {1});
            assertEchoes(a, b, new byte[8 << 20]);
            assertThat(a.connected()).containsExactly(b.name());
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void nodes_withTlsOverTheSocket_exchangeMessages() throws Exception {
        SSLContext context = Certificates.context(folder, "both");
        try (Node a = builder("a").unixSocket(file).tls(context).start();
                Node b = builder("b").tls(context).start()) {
            assertEchoes(a, b, new byte[] {1});
            assertEchoes(a, b, new byte[1 << 20]);
        }
    }

    @Test
    void node_onBothTcpAndASocket_isFoundEitherWay() throws Exception {
        try (Nodes nodes = new Nodes()) {
            Node a = nodes.start(nodes.builder("a").unixSocket(file));
            Node byPortMapper = nodes.start("tcp");
            Node bySocket = nodes.start(builder("unix"));
            assertEchoes(a, byPortMapper, new byte[] {1});
            assertEchoes(a, bySocket, new byte[] {2});
            assertThat(a.connected()).containsExactlyInAnyOrder(byPortMapper.name(), bySocket.name());
        }
    }

    @Test
    void connect_whereNobodyListens_fails() throws Exception {
        try (Node b = builder("b").start()) {
            assertThatThrownBy(() -> b.connect(A)).isInstanceOf(IOException.class);
            leaveSocket();
            assertThatThrownBy(() -> b.connect(A)).isInstanceOf(IOException.class);
        }
    }

    private void leaveSocket() throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(file));
        }
        assertThat(file).exists();
    }

    @Test
    void start_whereADeadNodeLeftItsSocket_replacesIt() throws Exception {
        leaveSocket();
        try (Node a = builder("a").unixSocket(file).start();
                Node b = builder("b").start()) {
            assertEchoes(a, b, new byte[] {1});
        }
    }

    @Test
    void start_whereThereIsAFileThatIsNoSocket_isRefusedAndLeavesIt() throws Exception {
        Files.writeString(file, "precious");
        assertThatThrownBy(() -> builder("a").unixSocket(file).start())
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("no socket");
        assertThat(file).hasContent("precious");
    }

    @Test
    void start_whereAnotherListens_isRefusedAndLeavesItsSocket() throws Exception {
        try (Node a = builder("a").unixSocket(file).start();
                Node b = builder("b").start()) {
            assertThatThrownBy(() -> builder("c").unixSocket(file).start())
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(file.toString());
            assertEchoes(a, b, new byte[] {1});
        }
    }
}
