/** Meters of queues in a Micrometer registry: {@link dev.touchstone.queue.micrometer.QueueMetrics} binds them. */
@NullMarked
package dev.touchstone.queue.micrometer;

import org.jspecify.annotations.NullMarked;
