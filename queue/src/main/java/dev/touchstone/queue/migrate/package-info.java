/** Copies the queues that other libraries left on disk into a {@link dev.touchstone.queue.DiskQueue}; never changes what it reads. */
@NullMarked
package dev.touchstone.queue.migrate;

import org.jspecify.annotations.NullMarked;
