/** Consuming: cursors, leases, and the records that make consumption durable. */
@NullMarked
package dev.touchstone.queue.log.consume;

import org.jspecify.annotations.NullMarked;
