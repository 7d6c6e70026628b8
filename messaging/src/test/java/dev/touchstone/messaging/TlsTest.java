package dev.touchstone.messaging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
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
}
