package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.epmd.StaticResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Ipv6Test {
    private static final Duration LONG = Duration.ofSeconds(20);

    private InetAddress loopback;

    @BeforeAll
    static void requireIpv6() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
            assertThat(socket.isBound()).isTrue();
        } catch (IOException e) {
            Assumptions.abort("IPv6's loopback is missing: ip address add ::1/128 dev lo; " + e.getMessage());
        }
    }

    @BeforeEach
    void start() throws IOException {
        loopback = loopback();
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    }

    private NodeBuilder builder(String name) {
        return Node.builder(name).cookie(Nodes.COOKIE).listen(loopback);
    }

    @Test
    void ping_withAStaticResolver_isTrue() throws Exception {
        try (Node a = builder("a@localhost")
                        .resolver(new StaticResolver(Map.of()))
                        .start();
                Node b = builder("b@localhost")
                        .resolver(new StaticResolver(Map.of(a.name(), new InetSocketAddress(loopback, a.port()))))
                        .start()) {
            assertThat(b.ping(a.name(), LONG)).isTrue();
            assertThat(a.ping(b.name(), LONG)).as("over the same connection").isTrue();
        }
    }

    @Test
    void ping_withTheEmbeddedPortMapper_isTrueBothWays() throws Exception {
        InetSocketAddress epmd = new InetSocketAddress(loopback, freePort());
        try (Node a = builder("a@localhost").epmd(epmd).start();
                Node b = builder("b@localhost").epmd(epmd).start();
                Node c = builder("c@::1").epmd(epmd).start()) {
            assertThat(a.ping(b.name(), LONG)).isTrue();
            assertThat(a.ping(c.name(), LONG)).isTrue();
            assertThat(c.ping(b.name(), LONG)).isTrue();
        }
    }

    private int freePort() throws IOException {
        try (EpmdServer server = EpmdServer.start(new InetSocketAddress(loopback, 0))) {
            return server.port();
        }
    }
}
