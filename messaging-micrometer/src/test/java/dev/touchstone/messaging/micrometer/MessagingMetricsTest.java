package dev.touchstone.messaging.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.NodeStats;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessagingMetricsTest {
    private static final Duration MAX_AGE = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int METERS = 3 + 4 + 5 + EndKind.values().length;

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private EpmdServer epmd;

    @BeforeEach
    void start() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void stop() throws IOException {
        epmd.close();
    }

    private NodeBuilder builder(String alive) {
        return Node.builder(alive + "@localhost")
                .cookie(Cookie.of("secret"))
                .embeddedEpmd(false)
                .epmd(new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port()));
    }

    private double value(String meter, String... tags) {
        return registry.get("touchstone.messaging." + meter)
                .tags(tags)
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    private static void exchange(Node a, Node b) throws InterruptedException {
        try (Mailbox from = a.mailbox();
                Mailbox to = b.mailbox()) {
            from.send("nobody", b.name(), Atom.of("hello"));
            from.send(to.pid(), Atom.of("hello"));
            assertThat(to.receive(LONG)).isEqualTo(Atom.of("hello"));
        }
    }

    @Test
    void bindTo_givesTheFiguresOfTheNode() throws Exception {
        try (Node a = builder("a").start();
                Node b = builder("b").start();
                Mailbox box = b.mailbox()) {
            new MessagingMetrics(b, "zone", "north").bindTo(registry);
            exchange(a, b);
            clock.add(MAX_AGE);
            NodeStats stats = b.stats();
            assertThat(value("connections")).isEqualTo(1);
            assertThat(value("mailboxes")).isEqualTo(1);
            assertThat(value("pending")).isZero();
            assertThat(value("dropped")).isEqualTo(1);
            assertThat(value("frames", "direction", "in")).isEqualTo(2);
            assertThat(value("frames", "direction", "out")).isZero();
            assertThat(value("bytes", "direction", "in"))
                    .isEqualTo((double) stats.traffic().bytesIn())
                    .isPositive();
            assertThat(value("bytes", "direction", "out")).isZero();
            assertThat(value("malformed") + value("ignored") + value("rejected") + value("refused"))
                    .isZero();
            assertThat(b.disconnect(a.name())).isTrue();
            clock.add(MAX_AGE);
            assertThat(value("ended", "kind", "closed_here")).isEqualTo(1);
            assertThat(value("ended", "kind", "broken")).isZero();
            assertThat(value("connections")).isZero();
            assertThat(value("frames", "direction", "in"))
                    .as("those of ended connections")
                    .isEqualTo(2);
            assertThat(box.pid()).isInstanceOf(Pid.class);
        }
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .hasSize(METERS)
                .allSatisfy(id -> {
                    assertThat(id.getName()).startsWith("touchstone.messaging.");
                    assertThat(id.getDescription()).isNotBlank();
                    assertThat(id.getBaseUnit()).isNotBlank();
                    assertThat(id.getTag("node")).isEqualTo("b@localhost");
                    assertThat(id.getTag("zone")).isEqualTo("north");
                });
    }

    @Test
    void aReading_isUsedForASecond() throws Exception {
        try (Node a = builder("a").start()) {
            new MessagingMetrics(a).bindTo(registry);
            try (Mailbox box = a.mailbox()) {
                clock.add(MAX_AGE.minusNanos(1));
                assertThat(value("mailboxes")).isZero();
                clock.add(Duration.ofNanos(1));
                assertThat(value("mailboxes")).isEqualTo(1);
                assertThat(box.node()).isSameAs(a);
            }
        }
    }

    @Test
    void twoNodes_areToldApartAndABinderRemovesItsMetersOnly() throws Exception {
        try (Node a = builder("a").start();
                Node b = builder("b").start()) {
            MessagingMetrics ofA = new MessagingMetrics(a);
            MessagingMetrics ofB = new MessagingMetrics(b);
            ofA.bindTo(registry);
            ofB.bindTo(registry);
            assertThat(registry.getMeters()).hasSize(2 * METERS);
            ofA.close();
            assertThat(registry.getMeters())
                    .hasSize(METERS)
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getTag("node")).isEqualTo("b@localhost"));
            ofB.close();
            assertThat(registry.getMeters()).isEmpty();
        }
    }

    @Test
    void aCollectedNode_leavesNaNInGaugesAndTheLastCount() throws Exception {
        WeakReference<Node> node = new WeakReference<>(boundAndClosed());
        while (node.get() != null) {
            System.gc();
        }
        clock.add(MAX_AGE);
        assertThat(value("connections")).isNaN();
        assertThat(value("dropped")).isEqualTo(1);
    }

    private Node boundAndClosed() throws Exception {
        try (Node a = builder("a").start();
                Node b = builder("b").start()) {
            exchange(a, b);
            new MessagingMetrics(b).bindTo(registry);
            assertThat(value("dropped")).isEqualTo(1);
            return b;
        }
    }

    @Test
    void scrapes_ofManyThreadsWhileConnectionsComeAndGo_areConsistent() throws Exception {
        PrometheusMeterRegistry prometheus =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Node a = builder("a").start();
                Node b = builder("b").start()) {
            new MessagingMetrics(b).bindTo(prometheus);
            List<Future<String>> scrapes = new ArrayList<>();
            int rounds = 50;
            for (int round = 0; round < rounds; round++) {
                exchange(a, b);
                assertThat(b.disconnect(a.name())).isTrue();
                while (!a.connected().isEmpty()) {
                    LockSupport.parkNanos(100_000);
                }
                clock.add(MAX_AGE);
                for (int i = 0; i < 4; i++) {
                    scrapes.add(threads.submit(() -> prometheus.scrape()));
                }
            }
            for (Future<String> scrape : scrapes) {
                assertThat(scrape.get()).contains("touchstone_messaging_connections{node=\"b@localhost\"}");
            }
            clock.add(MAX_AGE);
            assertThat(Objects.requireNonNull(prometheus.scrape()))
                    .contains("touchstone_messaging_ended_connections_total{kind=\"closed_here\",node=\"b@localhost\"} "
                            + (double) rounds)
                    .contains("touchstone_messaging_bytes_total{direction=\"in\",node=\"b@localhost\"}")
                    .contains("touchstone_messaging_dropped_messages_total{node=\"b@localhost\"} " + (double) rounds);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTagWithoutAValue_isRefused() throws Exception {
        try (Node a = builder("a").start()) {
            assertThatThrownBy(() -> new MessagingMetrics(a, "zone")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
