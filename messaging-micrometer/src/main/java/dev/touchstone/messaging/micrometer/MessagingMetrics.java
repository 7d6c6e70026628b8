package dev.touchstone.messaging.micrometer;

import dev.touchstone.messaging.Node;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A binder of a node's figures, those of {@link Node#stats}, to Micrometer registries, in meters whose names begin with
 * {@code touchstone.messaging}. Thread-safe.
 *
 * <p><b>Tags.</b> All meters have the tag {@code node} with the node's name. There are no meters of single peers, so that their number does
 * not grow with the cluster; {@link Node#stats} has the figures of each.
 *
 * <p><b>Age.</b> The node is read when a meter is, at most once a second for each registry.
 *
 * <p><b>References.</b> Binder and meters refer to the node weakly, so they do not keep a closed node in memory; the binder need not be
 * kept. Once the node is garbage-collected gauges are NaN, and counters keep their last values. Whoever starts a node of the same name
 * again must {@link #close} the binder of the first one before: Micrometer keeps the first meter of equal name and tags.
 */
public final class MessagingMetrics implements MeterBinder, AutoCloseable {
    private final WeakReference<Node> node;
    private final Tags tags;
    private final List<MessagingMeters> bound = new CopyOnWriteArrayList<>();

    /**
     * Creates a binder with tags from keys and values.
     *
     * @param node node to measure
     * @param tags further tags, a key and a value in turn
     * @throws IllegalArgumentException if the last key has no value
     */
    public MessagingMetrics(Node node, String... tags) {
        this(node, Tags.of(tags));
    }

    /**
     * Creates a binder with tags.
     *
     * @param node node to measure
     * @param tags further tags
     */
    public MessagingMetrics(Node node, Iterable<Tag> tags) {
        this.node = new WeakReference<>(Objects.requireNonNull(node, "node"));
        this.tags = Tags.of(tags).and("node", node.name().toString());
    }

    /**
     * Registers the meters; does nothing if the node is garbage-collected.
     *
     * @param registry registry that gets the meters
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Node measured = node.get();
        if (measured != null) {
            bound.add(new MessagingMeters(measured, registry, tags));
        }
    }

    /** Removes the meters from all registries; the node stays open. */
    @Override
    public void close() {
        bound.forEach(MessagingMeters::close);
        bound.clear();
    }
}
