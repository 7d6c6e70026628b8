/**
 * The log under the queue: segments of checksummed records, appended through shared batches and read in order. Knows nothing of
 * elements and codecs; all failures are {@link java.io.IOException}s.
 */
@NullMarked
package dev.touchstone.queue.log;

import org.jspecify.annotations.NullMarked;
