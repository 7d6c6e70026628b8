/** Adapters of logs that stand on three processes, and the start and end of those. */
@NullMarked
package dev.touchstone.benchmarks.queue.replicated;

import org.jspecify.annotations.NullMarked;
