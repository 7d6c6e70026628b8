/** Inspection and repair of the folders of queues, for the command line {@code touchstone-queue}; not an API for others. */
@NullMarked
package dev.touchstone.queue.inspect;

import org.jspecify.annotations.NullMarked;
