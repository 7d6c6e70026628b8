package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void nodes_withCertificatesThatTrustEachOther_exchangeSmallAndLargeMessages() throws Exception {
        SSLContext context = Certificates.context(folder, "both");
        try (Nodes nodes = new Nodes()) {
            Node a = nodes.start(nodes.builder("a").tls(context));
            Node b = nodes.start(nodes.builder("b").tls(context));
            Mailbox server = a.mailbox("server");
            Mailbox client = b.mailbox();
            byte[] large = new byte[3 << 20];
            new SplittableRandom(1).nextBytes(large);
            for (byte[] body : new byte[][] {{1}, large, {2}}) {
                client.send("server", a.name(), Tuple.of(client.pid(), Binary.of(body)));
                Tuple request = (Tuple) requireNonNull(server.receive(LONG));
                server.send((Pid) request.get(0), request.get(1));
                assertThat(client.receive(LONG)).isEqualTo(Binary.of(body));
            }
        }
    }

    @Test
    void connect_toANodeThatIsNotTrusted_fails() throws Exception {
        try (Nodes nodes = new Nodes()) {
            Node a = nodes.start(nodes.builder("a").tls(Certificates.context(folder, "one")));
            Node b = nodes.start(nodes.builder("b").tls(Certificates.context(folder, "other")));
            assertThatThrownBy(() -> b.connect(a.name())).isInstanceOf(IOException.class);
            Node plain = nodes.start(nodes.builder("p").connectTimeout(Duration.ofSeconds(1)));
            assertThatThrownBy(() -> plain.connect(a.name())).isInstanceOf(IOException.class);
            assertThat(a.connected()).isEmpty();
        }
    }

    @Test
    void connect_toATrustedCertificateOfAnotherHost_fails() throws Exception {
        SSLContext context = Certificates.context(folder, "elsewhere", "elsewhere.example");
        try (Nodes nodes = new Nodes()) {
            Node a = nodes.start(nodes.builder("a").tls(context));
            Node b = nodes.start(nodes.builder("b").tls(context));
            assertThatThrownBy(() -> b.connect(a.name()))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("peer=a@localhost")
                    .hasMessageContaining("No subject alternative DNS name matching localhost found");
            assertThat(a.connected()).isEmpty();
            Node unchecked = nodes.start(
                    nodes.builder("u").tls(context, parameters -> parameters.setEndpointIdentificationAlgorithm("")));
            assertThat(unchecked.ping(a.name(), LONG)).isTrue();
        }
    }

    @Test
    void connect_ofACertificateOfAnotherHost_isRefusedWhereThatIsAskedFor() throws Exception {
        SSLContext elsewhere = Certificates.context(folder, "elsewhere", "elsewhere.example");
        SSLContext here = Certificates.context(folder, "here");
        try (Nodes nodes = new Nodes()) {
            Node strict = nodes.start(nodes.builder("s").tls(elsewhere).tlsClientHost(true));
            Node stranger = nodes.start(
                    nodes.builder("u").tls(elsewhere, parameters -> parameters.setEndpointIdentificationAlgorithm("")));
            assertThatThrownBy(() -> stranger.connect(strict.name())).isInstanceOf(IOException.class);
            assertThat(strict.connected()).isEmpty();
            Node a = nodes.start(nodes.builder("a").tls(here).tlsClientHost(true));
            Node b = nodes.start(nodes.builder("b").tls(here).tlsClientHost(true));
            assertThat(b.ping(a.name(), LONG)).isTrue();
        }
    }

    @Test
    void parameters_ofTheCustomizer_areUsed() throws Exception {
        SSLContext context = Certificates.context(folder, "both");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (Nodes nodes = new Nodes()) {
            Node old = nodes.start(nodes.builder("old").tls(context, parameters -> {
                seen.add(parameters.getEndpointIdentificationAlgorithm() + " " + parameters.getServerNames());
                parameters.setProtocols(new String[] {"TLSv1.2"});
            }));
            Node any = nodes.start(nodes.builder("any").tls(context));
            Node modern = nodes.start(
                    nodes.builder("new").tls(context, parameters -> parameters.setProtocols(new String[] {"TLSv1.3"})));
            assertThat(old.ping(any.name(), LONG)).isTrue();
            assertThat(modern.ping(any.name(), LONG)).isTrue();
            assertThatThrownBy(() -> modern.connect(old.name())).isInstanceOf(IOException.class);
            assertThat(seen)
                    .anySatisfy(each -> assertThat(each).startsWith("HTTPS ").contains("localhost"));
        }
    }

    /** The connection's timeout is longer than the test's: only the end of the socket ends it. */
    @Test
    void connect_toAPeerThatClosesInTheTlsHandshake_fails() throws Exception {
        SSLContext context = Certificates.context(folder, "both");
        try (Nodes nodes = new Nodes();
                ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), closing.getLocalPort());
            Thread accepting = new Thread(() -> {
                try (Socket socket = closing.accept()) {
                    int unused = socket.getInputStream().read(new byte[1]);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            accepting.start();
            Node a = nodes.start(nodes.builder("a")
                    .tls(context)
                    .connectTimeout(Duration.ofMinutes(10))
                    .resolver(name -> new ResolvedNode(address)));
            assertThatThrownBy(() -> a.connect(NodeName.parse("closing@localhost")))
                    .isInstanceOf(IOException.class);
            accepting.join();
        }
    }
}
