package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Distribution over IPv6 with {@code -proto_dist inet6_tcp}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Ipv6InteropTest {
    private static final String LOOPBACK = "::1";

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    /** Erlang's epmd listens on both loopback addresses where there are both. */
    private static InetSocketAddress requireEpmd() throws IOException {
        InetSocketAddress epmd = new InetSocketAddress(InetAddress.getAllByName(LOOPBACK)[0], lab.epmdPort());
        try (Socket socket = new Socket(epmd.getAddress(), epmd.getPort())) {
            assertThat(socket.isConnected()).isTrue();
        } catch (IOException e) {
            Assumptions.abort("IPv6's loopback is missing: ip address add ::1/128 dev lo; " + e.getMessage());
        }
        return epmd;
    }

    private static Node java(InetSocketAddress epmd) throws IOException {
        return lab.builder(ErlangLab.freshName("java", LOOPBACK))
                .listen(epmd.getAddress())
                .epmd(epmd)
                .start();
    }

    @Test
    void ping_overIpv6_isAnsweredBothWays() throws Exception {
        InetSocketAddress epmd = requireEpmd();
        try (ErlangNode erl = lab.erlang(ErlangLab.freshName("erl", LOOPBACK), "-proto_dist", "inet6_tcp");
                Node asking = java(epmd);
                Node asked = java(epmd)) {
            assertThat(asking.ping(erl.name(), Duration.ofSeconds(10))).isTrue();
            erl.expect("net_adm:ping(" + ErlangLab.quoted(asked.name()) + ")", "pong");
        }
    }
}
