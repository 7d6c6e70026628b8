package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nodes do when the port mapper ends that they are registered at. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PortMapperLossTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private InetSocketAddress epmd;

    @BeforeEach
    void findPort() throws IOException {
        try (EpmdServer server = EpmdServer.start(0)) {
            epmd = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
        }
    }

    private NodeBuilder builder(String alive) {
        return Node.builder(alive + "@localhost").cookie(Nodes.COOKIE).epmd(epmd);
    }

    @Test
    void portMapper_startedAnew_hasTheNodesAgainAndTheirConnectionsStay() throws Exception {
        EpmdServer first = EpmdServer.start(epmd);
        try (Node a = builder("a").embeddedEpmd(false).start();
                Node b = builder("b").embeddedEpmd(false).start();
                Mailbox box = a.mailbox()) {
            a.connect(b.name());
            box.monitorNode(b.name());
            int creation = a.creation();
            first.close();
            Nodes.await("the entries are lost", () -> !a.isRegistered() && !b.isRegistered());
            assertThat(a.ping(b.name(), LONG)).as("without a port mapper").isTrue();
            try (EpmdServer second = EpmdServer.start(epmd)) {
                Nodes.await("the entries are made again", () -> a.isRegistered() && b.isRegistered());
                try (Node c = builder("c").start()) {
                    assertThat(c.ping(a.name(), LONG)).isTrue();
                    assertThat(c.ping(b.name(), LONG)).isTrue();
                }
                assertThat(a.creation()).isEqualTo(creation);
                assertThat(box.receive(Duration.ZERO)).as("no nodedown").isNull();
                assertThat(second.port()).isEqualTo(epmd.getPort());
            }
        }
    }

    @Test
    void portMapper_ofANodeThatCloses_isFollowedByAnother() throws Exception {
        Node first = builder("first").start();
        try (Node second = builder("second").tickTime(Duration.ofMillis(100)).start();
                Node third = builder("third").tickTime(Duration.ofMillis(100)).start()) {
            first.close();
            Nodes.await("another node is the port mapper", () -> second.isRegistered() && third.isRegistered());
            assertThat(second.ping(third.name(), LONG)).isTrue();
        }
        try (Node later = builder("second").start()) {
            assertThat(later.isRegistered()).isTrue();
        }
    }

    @Test
    void entry_ofAClosedNode_isNotMadeAgain() throws Exception {
        EpmdServer first = EpmdServer.start(epmd);
        Node a = builder("a").tickTime(Duration.ofMillis(40)).start();
        first.close();
        a.close();
        assertThat(a.isRegistered()).isFalse();
        try (EpmdServer second = EpmdServer.start(epmd);
                Node other = builder("a").start()) {
            assertThat(other.isRegistered()).as("port=%d", second.port()).isTrue();
        }
    }
}
