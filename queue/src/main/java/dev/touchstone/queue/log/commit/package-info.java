/** Appending: threads fill shared batches, and a group commit writes them. */
@NullMarked
package dev.touchstone.queue.log.commit;

import org.jspecify.annotations.NullMarked;
