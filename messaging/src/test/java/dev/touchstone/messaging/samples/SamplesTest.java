package dev.touchstone.messaging.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.engine.Certificates;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples do what they say. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SamplesTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private EpmdServer epmd;
    private Node here;
    private Node there;

    @BeforeEach
    void start() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        here = node("here@localhost");
        there = node("there@localhost");
    }

    private Node node(String name) throws IOException {
        return builder(name).start();
    }

    private NodeBuilder builder(String name) {
        return Node.builder(name)
                .cookie(Cookie.of("samples"))
                .epmd(new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port()));
    }

    @AfterEach
    void stop() throws IOException {
        here.close();
        there.close();
        epmd.close();
        threads.shutdownNow();
    }

    @Test
    void echo_ofATerm_comesBack() throws Exception {
        Term term = Tuple.of(Atom.of("hello"), ErlList.string("wörld"));
        Future<Void> served = serving("echo", Echo::serveOne);
        assertThat(Echo.ask(here, there.name(), term)).isEqualTo(term);
        served.get();
    }

    @Test
    void genServerClient_ofAServer_getsTheSum() throws Exception {
        Future<Void> served = serving("adder", server -> GenServerClient.serveOne(server, SamplesTest::sum));
        assertThat(GenServerClient.add(here, there.name(), 40, 2)).isEqualTo(42);
        served.get();
    }

    @Test
    void genServerClient_ofNobody_isToldAtOnce() throws Exception {
        assertThat(GenServerClient.reasonOfACallToNobody(here, there.name())).isEqualTo(Atom.of("noproc"));
    }

    @Test
    void monitor_ofAMailboxThatIsClosed_tellsTheReason() throws Exception {
        Term reason = Atom.of("finished");
        Future<Void> served = serving("watched", mailbox -> mailbox.close(mailbox.receive()));
        try (Mailbox watching = here.mailbox()) {
            Pid watched = Objects.requireNonNull(there.whereis("watched"));
            assertThat(Monitor.reasonOfTheEndOf(watched, watching, reason)).isEqualTo(reason);
        }
        served.get();
    }

    @Test
    void orders_asRecords_areEqual() throws Exception {
        Orders.Order order = new Orders.Order(
                7, "Ann", List.of(new Orders.Item("book", 2), new Orders.Item("pen", 9)), Optional.empty());
        try (Mailbox from = here.mailbox();
                Mailbox to = there.mailbox()) {
            Orders.send(from, to.pid(), order);
            assertThat(Orders.receive(to)).isEqualTo(order);
        }
    }

    @Test
    void tls_betweenNodesThatTrustEachOther_carriesTheMessages(@TempDir Path folder) throws Exception {
        Path keys = Certificates.store(folder, "cluster");
        char[] password = Certificates.PASSWORD.toCharArray();
        try (Node safe = Tls.in(keys, password, builder("safe@localhost")).start();
                Node sound = Tls.in(keys, password, builder("sound@localhost")).start();
                Mailbox server = sound.mailbox("echo")) {
            Future<Void> served = serving(server, Echo::serveOne);
            assertThat(Echo.ask(safe, sound.name(), Atom.of("hello"))).isEqualTo(Atom.of("hello"));
            served.get();
            assertThat(here.ping(sound.name(), Samples.TIMEOUT))
                    .as("without TLS")
                    .isFalse();
        }
    }

    private static Term sum(Term request) {
        Tuple add = (Tuple) request;
        return Int.of(((Int) add.get(1)).value() + ((Int) add.get(2)).value());
    }

    @FunctionalInterface
    private interface Server {
        void serve(Mailbox mailbox) throws InterruptedException;
    }

    private Future<Void> serving(String name, Server server) {
        return serving(there.mailbox(name), server);
    }

    private Future<Void> serving(Mailbox mailbox, Server server) {
        Callable<Void> work = () -> {
            server.serve(mailbox);
            return null;
        };
        return threads.submit(work);
    }
}
