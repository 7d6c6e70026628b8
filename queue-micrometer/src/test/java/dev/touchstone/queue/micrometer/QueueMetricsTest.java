package dev.touchstone.queue.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import dev.touchstone.queue.QueueStats;
import dev.touchstone.queue.WhenFull;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class QueueMetricsTest {
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(String name) {
        return DiskQueue.synced().folder(folder.resolve(name)).codec(Codec.utf8());
    }

    private double value(String meter, String... tags) {
        return registry.get("touchstone.queue." + meter)
                .tags(tags)
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    private Set<String> cursors(String meter) {
        return registry.find("touchstone.queue.cursor." + meter).meters().stream()
                .map(found -> Objects.requireNonNull(found.getId().getTag("cursor")))
                .collect(Collectors.toSet());
    }

    @Test
    void bindTo_givesTheFiguresOfTheQueue() {
        try (DiskQueue<String> queue = builder("jobs")
                .maxElements(3)
                .whenFull(WhenFull.REJECT)
                .onRejected(element -> {})
                .open()) {
            queue.offerAll(List.of("a", "b", "c"));
            assertThat(queue.offer("d")).isFalse();
            assertThat(queue.poll()).isEqualTo("a");
            try (Lease<String> lease = Objects.requireNonNull(queue.lease())) {
                assertThat(lease.element()).isEqualTo("b");
                new QueueMetrics(queue, "jobs", "zone", "north").bindTo(registry);
                QueueStats stats = queue.stats();

                assertThat(value("size")).isEqualTo(2);
                assertThat(value("leased")).isEqualTo(1);
                assertThat(value("appended")).isEqualTo(3);
                assertThat(value("polled")).isEqualTo(1);
                assertThat(value("rejected")).isEqualTo(1);
                assertThat(value("dropped")).isZero();
                assertThat(value("skipped")).isZero();
                assertThat(value("segments")).isEqualTo(stats.segments()).isPositive();
                assertThat(value("disk")).isEqualTo((double) stats.diskBytes()).isPositive();
                assertThat(value("forces")).isEqualTo((double) stats.forces()).isPositive();
                assertThat(Math.round(value("worst.write") * 1e9)) // exact: a unit's conversion leaves a rounding error
                        .isEqualTo(stats.worstWrite().toNanos())
                        .isPositive();
                var writes = registry.get("touchstone.queue.writes").functionTimer();
                assertThat(writes.count()).isEqualTo((double) stats.writes()).isPositive();
                assertThat(Math.round(writes.totalTime(TimeUnit.NANOSECONDS)))
                        .isEqualTo(stats.writing().toNanos())
                        .isPositive();
            }
            assertThat(registry.getMeters())
                    .extracting(Meter::getId)
                    .hasSize(12)
                    .allSatisfy(id -> {
                        assertThat(id.getName()).startsWith("touchstone.queue.");
                        assertThat(id.getDescription()).isNotBlank();
                        assertThat(id.getTag("queue")).isEqualTo("jobs");
                        assertThat(id.getTag("zone")).isEqualTo("north");
                    });
            assertThat(registry.get("touchstone.queue.disk").gauge().getId().getBaseUnit())
                    .isEqualTo("bytes");
        }
    }

    @Test
    void droppedElements_areCounted() {
        try (DiskQueue<String> queue =
                builder("ring").maxElements(2).whenFull(WhenFull.DROP_OLDEST).open()) {
            queue.addAll(List.of("a", "b"));
            queue.add("c");
            new QueueMetrics(queue, "ring").bindTo(registry);
            assertThat(value("dropped"))
                    .isEqualTo((double) queue.stats().dropped())
                    .isPositive();
        }
    }

    @Test
    void aReading_isUsedForASecond() {
        try (DiskQueue<String> queue = builder("jobs").open()) {
            new QueueMetrics(queue, "jobs").bindTo(registry);
            queue.add("a");
            clock.add(MAX_AGE.minusNanos(1));
            assertThat(value("size")).isZero();
            clock.add(Duration.ofNanos(1));
            assertThat(value("size")).isEqualTo(1);
            assertThat(value("appended")).isEqualTo(1);
        }
    }

    @Test
    void aClosedQueue_keepsItsLastValues() {
        DiskQueue<String> queue = builder("jobs").open();
        QueueCursor<String> audit = queue.cursor("audit");
        queue.addAll(List.of("a", "b", "c"));
        assertThat(audit.poll()).isEqualTo("a");
        new QueueMetrics(queue, "jobs").bindTo(registry);
        queue.close();
        clock.add(MAX_AGE);

        assertThat(value("size")).isEqualTo(3);
        assertThat(value("appended")).isEqualTo(3);
        assertThat(value("cursor.size", "cursor", "audit")).isEqualTo(2);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.measure())
                        .allSatisfy(measurement ->
                                assertThat(measurement.getValue()).isNotNegative()));

        MeterRegistry late = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        new QueueMetrics(queue, "jobs").bindTo(late);
        assertThat(late.get("touchstone.queue.size").gauge().value()).isEqualTo(3);
    }

    @Test
    void cursors_getAndLoseTheirMetersLater() {
        try (DiskQueue<String> queue = builder("jobs").open()) {
            new QueueMetrics(queue, "jobs").bindTo(registry);
            assertThat(cursors("size")).isEmpty();

            QueueCursor<String> audit = queue.cursor("audit");
            QueueCursor<String> billing = queue.cursor("billing");
            queue.addAll(List.of("a", "b", "c"));
            assertThat(audit.poll()).isEqualTo("a");
            Lease<String> lease = Objects.requireNonNull(billing.lease());
            clock.add(MAX_AGE);
            assertThat(value("size")).isEqualTo(3);
            assertThat(cursors("size")).containsExactlyInAnyOrder("audit", "billing");
            assertThat(value("cursor.size", "cursor", "audit")).isEqualTo(2);
            assertThat(value("cursor.leased", "cursor", "audit")).isZero();
            assertThat(value("cursor.size", "cursor", "billing")).isEqualTo(3);
            assertThat(value("cursor.leased", "cursor", "billing")).isEqualTo(1);

            assertThat(lease.ack()).isTrue();
            clock.add(MAX_AGE);
            assertThat(value("cursor.size", "cursor", "billing")).isEqualTo(2); // refreshed by a cursor's meter alone

            Meter dropped = registry.get("touchstone.queue.cursor.size")
                    .tags("cursor", "audit")
                    .meter();
            assertThat(queue.dropCursor("audit")).isTrue();
            clock.add(MAX_AGE);
            assertThat(dropped.measure().iterator().next().getValue()).isNaN();
            assertThat(cursors("size")).containsExactly("billing");
            assertThat(cursors("leased")).containsExactly("billing");
            assertThat(queue.cursorNames()).containsExactly("billing"); // reading made none again

            assertThat(queue.cursor("audit").longSize()).isEqualTo(3);
            clock.add(MAX_AGE);
            assertThat(value("size")).isEqualTo(3);
            assertThat(value("cursor.size", "cursor", "audit")).isEqualTo(3);
        }
    }

    @Test
    void twoQueues_areToldApartByTheirNames() {
        try (DiskQueue<String> jobs = builder("jobs").open();
                DiskQueue<String> mails = builder("mails").open()) {
            jobs.add("a");
            mails.addAll(List.of("b", "c"));
            mails.cursor("audit");
            jobs.cursor("audit").clear();
            QueueMetrics ofJobs = new QueueMetrics(jobs, "jobs");
            ofJobs.bindTo(registry);
            new QueueMetrics(mails, "mails").bindTo(registry);

            assertThat(value("size", "queue", "jobs")).isEqualTo(1);
            assertThat(value("size", "queue", "mails")).isEqualTo(2);
            assertThat(value("cursor.size", "queue", "jobs", "cursor", "audit")).isZero();
            assertThat(value("cursor.size", "queue", "mails", "cursor", "audit"))
                    .isEqualTo(2);

            ofJobs.close();
            assertThat(registry.find("touchstone.queue.size").meters())
                    .extracting(meter -> meter.getId().getTag("queue"))
                    .containsExactly("mails");
            assertThat(registry.getMeters()).hasSize(14);
        }
    }

    @Test
    void aQueueOpenedAgain_isMeasuredOnceTheFirstBinderIsClosed() {
        DiskQueue<String> first = builder("jobs").open();
        first.add("a");
        first.cursor("audit");
        QueueMetrics metrics = new QueueMetrics(first, "jobs");
        metrics.bindTo(registry);
        Meter stale = registry.get("touchstone.queue.size").meter();
        first.close();
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
        clock.add(MAX_AGE);
        assertThat(stale.measure().iterator().next().getValue()).isEqualTo(1); // and registers nothing
        assertThat(registry.getMeters()).isEmpty();

        try (DiskQueue<String> second = builder("jobs").open()) {
            new QueueMetrics(second, "jobs").bindTo(registry);
            second.add("b");
            clock.add(MAX_AGE);
            assertThat(value("size")).isEqualTo(2);
            assertThat(value("appended")).isEqualTo(1);
        }
    }

    @Test
    @Timeout(60)
    void aCollectedQueue_leavesNaNInGaugesAndTheLastCount() {
        WeakReference<DiskQueue<String>> queue = new WeakReference<>(openedAndBound());
        assertThat(value("appended")).isEqualTo(1);
        Objects.requireNonNull(queue.get()).close();
        while (queue.get() != null) {
            System.gc();
        }
        clock.add(MAX_AGE);
        assertThat(value("size")).isNaN();
        assertThat(value("cursor.size", "cursor", "audit")).isNaN();
        assertThat(value("appended")).isEqualTo(1);
    }

    private DiskQueue<String> openedAndBound() {
        DiskQueue<String> queue = builder("jobs").open();
        queue.add("a");
        queue.cursor("audit");
        new QueueMetrics(queue, "jobs").bindTo(registry);
        return queue;
    }

    @Test
    void aListenerThatReadsMeters_seesTheCursorsAppear() {
        AtomicInteger seen = new AtomicInteger();
        registry.config().onMeterAdded(meter -> {
            meter.measure().forEach(measurement -> measurement.getValue());
            seen.incrementAndGet();
        });
        try (DiskQueue<String> queue = builder("jobs").open()) {
            new QueueMetrics(queue, "jobs").bindTo(registry);
            queue.cursor("audit");
            clock.add(MAX_AGE);
            assertThat(value("size")).isZero();
            assertThat(seen).hasValue(14);
        }
    }

    @Test
    @Timeout(60)
    void scrapes_ofManyThreads_seeCursorsComeAndGo() throws Exception {
        PrometheusMeterRegistry prometheus =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (DiskQueue<String> queue = builder("jobs").open()) {
            new QueueMetrics(queue, "jobs").bindTo(prometheus);
            List<Future<String>> scrapes = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                queue.add("a");
                queue.cursor("c" + round % 3);
                boolean unused = queue.dropCursor("c" + (round + 1) % 3);
                clock.add(MAX_AGE);
                for (int i = 0; i < 4; i++) {
                    scrapes.add(threads.submit(() -> prometheus.scrape()));
                }
            }
            for (Future<String> scrape : scrapes) {
                assertThat(scrape.get()).contains("touchstone_queue_size_elements{queue=\"jobs\"}");
            }
            clock.add(MAX_AGE);
            String unused = prometheus.scrape();
            assertThat(prometheus.scrape())
                    .contains("touchstone_queue_size_elements{queue=\"jobs\"} 50.0")
                    .contains("touchstone_queue_appended_elements_total{queue=\"jobs\"} 50.0")
                    .contains("touchstone_queue_writes_seconds_count{queue=\"jobs\"}")
                    .contains("touchstone_queue_cursor_size_elements{cursor=\"c1\",queue=\"jobs\"}")
                    .doesNotContain("cursor=\"c2\"");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTagWithoutAValue_isRefused() {
        try (DiskQueue<String> queue = builder("jobs").open()) {
            assertThatThrownBy(() -> new QueueMetrics(queue, "jobs", "zone"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
