/** Migration of queues that other libraries left on disk into a {@link dev.touchstone.queue.DiskQueue}; the source is never changed. */
@NullMarked
package dev.touchstone.queue.migrate;

import org.jspecify.annotations.NullMarked;
