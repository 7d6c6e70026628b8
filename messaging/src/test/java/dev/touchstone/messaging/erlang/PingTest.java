package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes find each other, shake hands and show in each other's lists. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PingTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
    }

    private static String ping(Node node) {
        return "net_adm:ping(" + ErlangLab.quoted(node.name()) + ")";
    }

    @Test
    void ping_byErlang_answersPong() throws IOException {
        try (Node java = lab.java()) {
            erl.expect(ping(java), "pong");
            erl.expect(ping(java), "pong");
        }
    }

    @Test
    void ping_ofErlang_isTrue() throws Exception {
        try (Node java = lab.java()) {
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            assertThat(java.connected()).containsExactly(erl.name());
        }
    }

    @Test
    void ping_ofAnUnknownNode_isFalse() throws Exception {
        try (Node java = lab.java()) {
            assertThat(java.ping(NodeName.parse("nobody@localhost"), SOON)).isFalse();
            assertThat(java.connected()).isEmpty();
        }
    }

    @Test
    void ping_byErlangAfterClose_answersPang() throws IOException {
        String ping;
        try (Node java = lab.java()) {
            ping = ping(java);
            erl.expect(ping, "pong");
        }
        erl.expect(ping, "pang");
    }

    @Test
    void connect_withAnotherCookie_isRefusedByBoth() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (Node java = lab.builder(name).cookie(Cookie.of("another")).start()) {
            assertThatThrownBy(() -> java.connect(erl.name())).isInstanceOf(IOException.class);
            erl.expect(ping(java), "pang");
            assertThat(java.connected()).isEmpty();
        }
    }

    @Test
    void connect_ofAHiddenNode_showsAmongTheHiddenOnly() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (Node java = lab.builder(name).hidden(true).start()) {
            java.connect(erl.name());
            erl.await("nodes(hidden) =:= [" + ErlangLab.quoted(name) + "]");
            erl.expect("lists:member(" + ErlangLab.quoted(name) + ", nodes())", "false");
        }
        erl.await("nodes(hidden) =:= []");
    }

    @Test
    void connect_ofAVisibleNode_showsAmongTheVisible() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (Node java = lab.builder(name).hidden(false).start()) {
            java.connect(erl.name());
            erl.await("nodes() =:= [" + ErlangLab.quoted(name) + "]");
            erl.expect("nodes(hidden)", "[]");
            assertThat(java.ping(erl.name(), SOON)).isTrue();
        }
        erl.await("nodes() =:= []");
    }

    @Test
    void ping_byErlangToAVisibleNode_answersPong() throws IOException {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (Node java = lab.builder(name).hidden(false).start()) {
            erl.expect(ping(java), "pong");
            erl.expect("nodes()", "[" + ErlangLab.quoted(name).replace("'", "") + "]");
        }
    }

    @Test
    void ping_ofAHiddenErlangNode_isTrueBothWays() throws Exception {
        try (Node java = lab.java();
                ErlangNode hidden = lab.erlang("-hidden")) {
            hidden.expect(ping(java), "pong");
            assertThat(java.ping(hidden.name(), SOON)).isTrue();
            hidden.expect("nodes(hidden) =:= [" + ErlangLab.quoted(java.name()) + "]", "true");
        }
    }

    @Test
    void ping_withLongNames_worksBothWays() throws Exception {
        NodeName longName = ErlangLab.freshName("erl", "127.0.0.1");
        try (ErlangNode longErl = lab.erlang(longName);
                Node java =
                        lab.builder(ErlangLab.freshName("java", "127.0.0.1")).start()) {
            longErl.expect(ping(java), "pong");
            assertThat(java.ping(longName, SOON)).isTrue();
        }
    }

    @Test
    void ping_afterErlangDisconnected_connectsAgain() throws Exception {
        try (Node java = lab.java()) {
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            erl.expect("erlang:disconnect_node(" + ErlangLab.quoted(java.name()) + ")", "true");
            Waits.until("no connection", () -> java.connected().isEmpty());
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            erl.expect(ping(java), "pong");
        }
    }

    @Test
    void ping_throughOurEpmd_worksBothWays() throws Exception {
        try (EpmdServer epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            NodeName name = ErlangLab.freshName("erl", "localhost");
            NodeName javaName = ErlangLab.freshName("java", "localhost");
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port());
            try (ErlangNode other = ErlangNode.start(name, epmd.port());
                    Node java = lab.builder(javaName).epmd(address).start()) {
                other.expect(ping(java), "pong");
                assertThat(java.ping(name, SOON)).isTrue();
                other.expect(
                        "{ok, Names} = net_adm:names(), lists:sort([N || {N, _} <- Names]) =:= lists:sort([\""
                                + name.alive() + "\", \"" + javaName.alive() + "\"])",
                        "true");
            }
        }
    }

    @Test
    void names_ofAClosedNode_areFreeAgain() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        int creation;
        try (Node java = lab.builder(name).start()) {
            creation = java.creation();
            erl.expect(ping(java), "pong");
        }
        erl.await("not lists:member(" + ErlangLab.quoted(name)
                + ", nodes(connected))"); // or it pings over the end of that
        try (Node java = lab.builder(name).start()) {
            assertThat(java.creation()).isNotEqualTo(creation);
            erl.expect(ping(java), "pong");
        }
    }
}
