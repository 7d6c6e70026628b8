package dev.touchstone.queue.micrometer;

import dev.touchstone.queue.DiskQueue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A binder of a queue's figures to Micrometer registries: those of {@link DiskQueue#stats}, and size and leases of each named cursor, in meters
 * whose names begin with {@code touchstone.queue}. Thread-safe.
 *
 * <p><b>Tags.</b> All meters have the tag {@code queue} with the name that the binder was given, those of cursors also the tag {@code cursor}.
 * Names of queues in one registry must differ: Micrometer keeps the first meter of equal name and tags, and ignores others.
 *
 * <p><b>Age.</b> The queue is read when a meter is, at most once a second for each registry. Cursors that are made or dropped later get and lose
 * their meters at such a reading.
 *
 * <p><b>References.</b> Binder and meters refer to the queue weakly, as Micrometer's own binders do; the binder need not be kept. The meters of
 * a closed queue keep their last values. Once the queue is garbage-collected gauges are NaN, and counters keep their last values. Whoever
 * opens a queue again under the same name must {@link #close} the binder of the first one before.
 */
public final class QueueMetrics implements MeterBinder, AutoCloseable {
    private final WeakReference<DiskQueue<?>> queue;
    private final Tags tags;
    private final List<QueueMeters> bound = new CopyOnWriteArrayList<>();

    /**
     * Creates a binder without further tags.
     *
     * @param queue queue to measure
     * @param name value of the tag {@code queue}
     */
    public QueueMetrics(DiskQueue<?> queue, String name) {
        this(queue, name, Tags.empty());
    }

    /**
     * Creates a binder with tags from keys and values.
     *
     * @param queue queue to measure
     * @param name value of the tag {@code queue}
     * @param tags further tags, a key and a value in turn
     * @throws IllegalArgumentException if the last key has no value
     */
    public QueueMetrics(DiskQueue<?> queue, String name, String... tags) {
        this(queue, name, Tags.of(tags));
    }

    /**
     * Creates a binder with tags.
     *
     * @param queue queue to measure
     * @param name value of the tag {@code queue}
     * @param tags further tags
     */
    public QueueMetrics(DiskQueue<?> queue, String name, Iterable<Tag> tags) {
        this.queue = new WeakReference<>(Objects.requireNonNull(queue, "queue"));
        this.tags = Tags.of(tags).and("queue", name);
    }

    /**
     * Registers the meters; does nothing if the queue is garbage-collected.
     *
     * @param registry registry that gets the meters
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        DiskQueue<?> measured = queue.get();
        if (measured != null) {
            bound.add(new QueueMeters(measured, registry, tags));
        }
    }

    /** Removes the meters from all registries; the queue stays open. */
    @Override
    public void close() {
        bound.forEach(QueueMeters::close);
        bound.clear();
    }
}
