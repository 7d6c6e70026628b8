package dev.touchstone.messaging.micrometer;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeStats;
import dev.touchstone.messaging.stats.EndKind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

/** The meters of one node in one registry. Thread-safe. */
final class MessagingMeters {
    /*
     * Who calls:      any thread that reads a meter, mostly those that export the registry; close by any thread.
     * Invariants:     refreshing admits one thread at a time to a new reading. No lock is held while the node or the registry is called,
     *                 because listeners of the registry may read meters. The node is held weakly.
     * Failure:        what the node or the registry throws goes to the reader of the meter, where Micrometer logs it; the next read tries again.
     */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String PREFIX = "touchstone.messaging.";
    private static final String CONNECTIONS = "connections";
    private static final String FRAMES = "frames";
    private static final String DIRECTION = "direction";

    private final WeakReference<Node> node;
    private final MeterRegistry registry;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile Reading reading;

    /**
     * The figures of a node at one time.
     *
     * @param nanos time of the registry's monotonic clock
     */
    private record Reading(long nanos, NodeStats stats) {}

    MessagingMeters(Node node, MeterRegistry registry, Tags tags) {
        this.node = new WeakReference<>(node);
        this.registry = registry;
        this.tags = tags;
        this.reading = new Reading(registry.config().clock().monotonicTime(), node.stats());
        gauges(node);
        traffic(node);
        faults(node);
    }

    private void gauges(Node node) {
        gauge(node, CONNECTIONS, CONNECTIONS, "Nodes that the node is connected to", NodeStats::connections);
        gauge(node, "mailboxes", "mailboxes", "Open mailboxes", NodeStats::mailboxes);
        gauge(node, "pending", BaseUnits.BYTES, "Bytes that wait to be written", NodeStats::pendingBytes);
    }

    private void traffic(Node node) {
        Tags in = Tags.of(DIRECTION, "in");
        Tags out = Tags.of(DIRECTION, "out");
        String bytes = "Bytes of all connections";
        String frames = "Messages and signals of all connections";
        counter(
                node,
                "bytes",
                BaseUnits.BYTES,
                bytes,
                in,
                stats -> stats.traffic().bytesIn());
        counter(
                node,
                "bytes",
                BaseUnits.BYTES,
                bytes,
                out,
                stats -> stats.traffic().bytesOut());
        counter(node, FRAMES, FRAMES, frames, in, stats -> stats.traffic().framesIn());
        counter(node, FRAMES, FRAMES, frames, out, stats -> stats.traffic().framesOut());
    }

    private void faults(Node node) {
        Tags none = Tags.empty();
        counter(node, "dropped", "messages", "Messages to nobody, or too long", none, NodeStats::dropped);
        counter(node, "malformed", "messages", "Messages that could not be read", none, NodeStats::malformed);
        counter(node, "ignored", FRAMES, "Control messages that are not known", none, NodeStats::ignored);
        counter(node, "rejected", "requests", "Requests to the node itself, not served", none, NodeStats::rejected);
        counter(node, "refused", "handshakes", "Handshakes of other nodes that failed", none, NodeStats::refused);
        for (EndKind kind : EndKind.values()) {
            Tags ended = Tags.of("kind", kind.name().toLowerCase(Locale.ROOT));
            counter(
                    node,
                    "ended",
                    CONNECTIONS,
                    "Connections that have ended",
                    ended,
                    stats -> stats.ended().getOrDefault(kind, 0L));
        }
    }

    private void gauge(Node node, String name, String unit, String description, ToDoubleFunction<NodeStats> value) {
        meters.add(Gauge.builder(PREFIX + name, node, n -> value.applyAsDouble(stats()))
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void counter(
            Node node, String name, String unit, String description, Tags more, ToDoubleFunction<NodeStats> count) {
        meters.add(FunctionCounter.builder(PREFIX + name, node, n -> count.applyAsDouble(stats()))
                .baseUnit(unit)
                .description(description)
                .tags(tags.and(more))
                .register(registry));
    }

    /** Returns the last reading, or a new one if that is a second old and no other thread is taking one. */
    private NodeStats stats() {
        Node now = node.get();
        long nanos = registry.config().clock().monotonicTime();
        if (now != null && nanos - reading.nanos() >= MAX_AGE_NANOS && refreshing.compareAndSet(false, true)) {
            try {
                reading = new Reading(nanos, now.stats());
            } finally {
                refreshing.set(false);
            }
        }
        return reading.stats();
    }

    /** Removes all meters from the registry. */
    void close() {
        meters.forEach(registry::remove);
    }
}
