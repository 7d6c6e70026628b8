package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.identity.NodeName;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that claim the name of a peer and prove nothing: they delay nobody, and take nobody's place. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClaimTest {
    private static final Duration NEVER = Duration.ofMinutes(30); // whoever waits this long fails the test's timeout
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final long FLAGS = 0x0000000d07df7fbdL; // of an Erlang node of OTP 25

    private final List<Socket> claims = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        for (Socket claim : claims) {
            claim.close();
        }
        nodes.close();
    }

    private Node patient(String alive) throws IOException {
        return nodes.start(nodes.builder(alive).acceptTimeout(NEVER).connectTimeout(NEVER));
    }

    /** Connects to a node with another's name, and returns the status that it is answered with. */
    private String claim(Node node, NodeName name) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
        claims.add(socket);
        byte[] text = name.toString().getBytes(StandardCharsets.UTF_8);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeShort(1 + Long.BYTES + Integer.BYTES + Short.BYTES + text.length);
        out.writeByte('N');
        out.writeLong(FLAGS);
        out.writeInt(1);
        out.writeShort(text.length);
        out.write(text);
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] status = new byte[in.readUnsignedShort()];
        in.readFully(status);
        return new String(status, StandardCharsets.UTF_8);
    }

    private void assertAnswers(Node one, Node other) throws InterruptedException {
        assertThat(one.ping(other.name(), LONG)).isTrue();
        assertThat(other.ping(one.name(), LONG)).isTrue();
        assertThat(one.connected()).containsExactly(other.name());
        assertThat(other.connected()).containsExactly(one.name());
    }

    @Test
    void connect_besideAClaimOfThePeersName_doesNotWaitForIt() throws Exception {
        Node greater = patient("z");
        Node lesser = patient("a");
        assertThat(claim(greater, lesser.name())).isEqualTo("sok");
        assertThat(claim(lesser, greater.name())).isEqualTo("sok");
        greater.connect(lesser.name());
        assertAnswers(greater, lesser);
    }

    @Test
    void connect_ofTheLesserNameBesideManyClaims_succeeds() throws Exception {
        Node greater = patient("z");
        Node lesser = patient("a");
        for (int i = 0; i < 10; i++) {
            assertThat(claim(greater, lesser.name())).isEqualTo("sok");
            assertThat(claim(lesser, greater.name())).isEqualTo("sok");
        }
        lesser.connect(greater.name());
        assertAnswers(greater, lesser);
        for (int i = 0; i < 10; i++) {
            assertThat(claim(greater, lesser.name())).isEqualTo("salive");
        }
        assertAnswers(greater, lesser);
    }

    @Test
    void connect_ofAPeerWhoseNameWasClaimed_isAccepted() throws Exception {
        Node node = patient("m");
        NodeName name = NodeName.parse("late@localhost");
        assertThat(claim(node, name)).isEqualTo("sok");
        Node late = patient("late");
        late.connect(node.name());
        assertAnswers(node, late);
    }

    @Test
    void connect_toNobodyBesideAClaim_failsAtOnce() throws Exception {
        Node node = patient("m");
        NodeName name = NodeName.parse("nobody@localhost");
        assertThat(claim(node, name)).isEqualTo("sok");
        assertThatThrownBy(() -> node.connect(name)).hasMessageContaining("nobody@localhost");
    }

    /** A node dials a silent address in place of a peer, and the peer is there at last by itself. */
    @Test
    void connect_ofAPeerThatWeDialInVain_isAcceptedForTheGreaterName() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Node lesser = nodes.start(nodes.builder("a")
                    .connectTimeout(NEVER)
                    .acceptTimeout(NEVER)
                    .resolver(name -> new ResolvedNode(silent.getLocalSocketAddress())));
            Node greater = patient("z");
            Future<?> dialing = threads.submit(() -> {
                lesser.connect(greater.name());
                return null;
            });
            try (Socket dialed = silent.accept()) {
                assertThat(dialed.getInputStream().read())
                        .as("the name is told")
                        .isZero();
                assertThat(claim(lesser, greater.name())).isEqualTo("sok_simultaneous");
                greater.connect(lesser.name());
                assertThat(dialing.get(50, TimeUnit.SECONDS)).isNull();
                assertAnswers(greater, lesser);
            }
        }
    }

    @Test
    void claim_whileWeDialThePeer_isAnsweredByTheRuleAndChangesNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Node greater = nodes.start(nodes.builder("z")
                    .connectTimeout(NEVER)
                    .acceptTimeout(NEVER)
                    .resolver(name -> new ResolvedNode(silent.getLocalSocketAddress())));
            NodeName lesser = NodeName.parse("a@localhost");
            Future<?> dialing = threads.submit(() -> {
                greater.connect(lesser);
                return null;
            });
            try (Socket dialed = silent.accept()) {
                assertThat(dialed.getInputStream().read())
                        .as("the name is told")
                        .isZero();
                assertThat(claim(greater, lesser)).isEqualTo("snok");
                assertThat(dialing.isDone()).isFalse();
            }
            assertThatThrownBy(() -> dialing.get(50, TimeUnit.SECONDS)).hasMessageContaining("a@localhost");
        }
    }
}
