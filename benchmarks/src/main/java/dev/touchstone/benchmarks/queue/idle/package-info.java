/** Measurement of what many open queues cost a process that does not use them. */
@NullMarked
package dev.touchstone.benchmarks.queue.idle;

import org.jspecify.annotations.NullMarked;
