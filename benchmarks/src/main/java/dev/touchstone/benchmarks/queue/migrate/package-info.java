/** Sub-command that copies the queues of other libraries into one of ours. */
@NullMarked
package dev.touchstone.benchmarks.queue.migrate;

import org.jspecify.annotations.NullMarked;
