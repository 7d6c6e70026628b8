package dev.touchstone.queue.micrometer;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueStats;
import dev.touchstone.queue.micrometer.QueueReading.CursorReading;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

/** The meters of one queue in one registry. Thread-safe. */
final class QueueMeters {
    /*
     * Who calls:      any thread that reads a meter, mostly those that export the registry; close by any thread.
     * Invariants:     refreshing admits one thread at a time to a new reading. No lock is held while the queue or the registry is called, because
     *                 listeners of the registry may read meters. The queue is held weakly.
     * Ordering:       a reading is published before the cursors' meters follow it. Whichever of refresh and close comes later removes the meters
     *                 of the cursors: close sets closed before it removes them, refresh looks at closed after it has registered them.
     * Failure:        what the queue or the registry throws goes to the reader of the meter, where Micrometer logs it; the next read tries again.
     */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String ELEMENTS = "elements";

    private final WeakReference<DiskQueue<?>> queue;
    private final MeterRegistry registry;
    private final Tags tags;
    private final MultiGauge cursorSizes;
    private final MultiGauge cursorLeases;
    private final List<Meter> meters = new ArrayList<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile QueueReading reading;
    private volatile boolean closed;

    QueueMeters(DiskQueue<?> queue, MeterRegistry registry, Tags tags) {
        this.queue = new WeakReference<>(queue);
        this.registry = registry;
        this.tags = tags;
        this.reading = QueueReading.of(queue, registry.config().clock().monotonicTime());
        this.cursorSizes = cursorGauge("size", "Elements that a named cursor has not removed");
        this.cursorLeases = cursorGauge("leased", "Elements on lease from a named cursor");
        gauges(queue);
        counters(queue);
        follow(reading);
    }

    private void gauges(DiskQueue<?> queue) {
        gauge(queue, "size", ELEMENTS, "Elements in the queue", QueueStats::size);
        gauge(queue, "leased", ELEMENTS, "Elements on lease from the queue's own cursor", QueueStats::leased);
        gauge(queue, "segments", BaseUnits.FILES, "Log files", QueueStats::segments);
        gauge(queue, "disk", BaseUnits.BYTES, "Bytes that the log files may grow to", QueueStats::diskBytes);
        meters.add(TimeGauge.builder(
                        "touchstone.queue.worst.write",
                        queue,
                        TimeUnit.NANOSECONDS,
                        q -> stats().worstWrite().toNanos())
                .description("Longest write since the queue was opened")
                .tags(tags)
                .register(registry));
    }

    private void counters(DiskQueue<?> queue) {
        counter(queue, "appended", ELEMENTS, "Elements accepted", QueueStats::appended);
        counter(queue, "polled", ELEMENTS, "Elements that the queue's own cursor removed", QueueStats::polled);
        counter(queue, "dropped", ELEMENTS, "Elements that made room for others", QueueStats::dropped);
        counter(queue, "skipped", ELEMENTS, "Elements that the own cursor lost to damage", QueueStats::skipped);
        counter(
                queue,
                "rejected",
                BaseUnits.OPERATIONS,
                "Offers without room for their elements",
                QueueStats::rejected);
        counter(queue, "forces", BaseUnits.OPERATIONS, "Writes that waited for the device", QueueStats::forces);
        meters.add(FunctionTimer.builder(
                        "touchstone.queue.writes",
                        queue,
                        q -> stats().writes(),
                        q -> stats().writing().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description("Batches handed to the operating system, and the time that it took")
                .tags(tags)
                .register(registry));
    }

    private void gauge(
            DiskQueue<?> queue, String name, String unit, String description, ToDoubleFunction<QueueStats> value) {
        meters.add(Gauge.builder("touchstone.queue." + name, queue, q -> value.applyAsDouble(stats()))
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void counter(
            DiskQueue<?> queue, String name, String unit, String description, ToDoubleFunction<QueueStats> count) {
        meters.add(FunctionCounter.builder("touchstone.queue." + name, queue, q -> count.applyAsDouble(stats()))
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private MultiGauge cursorGauge(String name, String description) {
        return MultiGauge.builder("touchstone.queue.cursor." + name)
                .baseUnit(ELEMENTS)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private QueueStats stats() {
        return read().stats();
    }

    /** Returns the last reading, or a new one if that is a second old and no other thread is taking one. */
    private QueueReading read() {
        DiskQueue<?> now = queue.get();
        long nanos = registry.config().clock().monotonicTime();
        if (now != null && !closed && isOld(nanos) && refreshing.compareAndSet(false, true)) {
            try {
                if (isOld(nanos)) {
                    reading = QueueReading.of(now, nanos);
                    follow(reading);
                }
            } finally {
                refreshing.set(false);
            }
        }
        return reading;
    }

    private boolean isOld(long nanos) {
        return nanos - reading.nanos() >= MAX_AGE_NANOS;
    }

    /** Registers meters of new cursors, and removes those of dropped ones. */
    private void follow(QueueReading now) {
        cursorSizes.register(rows(now, CursorReading::size));
        cursorLeases.register(rows(now, CursorReading::leased));
        if (closed) {
            removeCursors();
        }
    }

    private List<MultiGauge.Row<?>> rows(QueueReading now, ToDoubleFunction<CursorReading> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String name : now.cursors().keySet()) {
            rows.add(MultiGauge.Row.of(Tags.of("cursor", name), () -> cursorValue(name, value)));
        }
        return rows;
    }

    private double cursorValue(String name, ToDoubleFunction<CursorReading> value) {
        CursorReading found = queue.get() == null ? null : read().cursors().get(name);
        return found == null ? Double.NaN : value.applyAsDouble(found);
    }

    private void removeCursors() {
        cursorSizes.register(List.of());
        cursorLeases.register(List.of());
    }

    /** Removes all meters from the registry. */
    void close() {
        closed = true;
        removeCursors();
        meters.forEach(registry::remove);
    }
}
