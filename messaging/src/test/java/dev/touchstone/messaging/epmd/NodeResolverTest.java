package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeResolverTest {
    private static final NodeName BOB = NodeName.parse("bob@localhost");

    @Test
    void resolve_withEpmd_findsTheNodeWhereEpmdIs() throws IOException {
        try (EpmdServer server = EpmdServer.start(0)) {
            InetSocketAddress epmd = Sockets.loopback(server.port());
            for (NodeResolver resolver : List.of(
                    EpmdResolver.at(epmd, Sockets.TIMEOUT), EpmdResolver.onHosts(server.port(), Sockets.TIMEOUT))) {
                try (Registration registration =
                        new EpmdClient(epmd, Sockets.TIMEOUT).register(EpmdNode.of("bob", 4711, false))) {
                    assertThat(resolver.resolve(BOB)).isEqualTo(new ResolvedNode(Sockets.loopback(4711)));
                    assertThat(registration.isLost()).isFalse();
                }
                assertThatThrownBy(() -> resolver.resolve(NodeName.parse("nobody@localhost")))
                        .isInstanceOf(EpmdException.NotRegistered.class)
                        .hasMessageContaining("nobody@localhost");
            }
        }
    }

    @Test
    void resolve_withEpmdOfOneAddress_doesNotLookForTheHost() throws IOException {
        try (EpmdServer server = EpmdServer.start(0);
                Registration registration = new EpmdClient(Sockets.loopback(server.port()), Sockets.TIMEOUT)
                        .register(EpmdNode.of("bob", 4711, false))) {
            InetSocketAddress unresolved = InetSocketAddress.createUnresolved("localhost", server.port());
            assertThat(EpmdResolver.at(unresolved, Sockets.TIMEOUT).resolve(NodeName.parse("bob@no.such.host.invalid")))
                    .isEqualTo(new ResolvedNode(Sockets.loopback(4711)));
            assertThat(registration.isLost()).isFalse();
        }
    }

    @Test
    void resolve_withoutEpmd_isUnreachable() throws IOException {
        EpmdResolver resolver = EpmdResolver.onHosts(Sockets.freePort(), Sockets.TIMEOUT);
        assertThatThrownBy(() -> resolver.resolve(BOB)).isInstanceOf(EpmdException.Unreachable.class);
    }

    @Test
    void resolve_fromAList_asksNobody() throws IOException {
        NodeResolver resolver = new StaticResolver(Map.of(BOB, Sockets.loopback(1)));
        assertThat(resolver.resolve(BOB).address()).isEqualTo(Sockets.loopback(1));
        assertThatThrownBy(() -> resolver.resolve(NodeName.parse("alice@localhost")))
                .isInstanceOf(EpmdException.NotRegistered.class);
    }
}
