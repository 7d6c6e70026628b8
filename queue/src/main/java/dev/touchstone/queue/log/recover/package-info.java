/** Recovery: finds out what a folder holds after its last use ended, however it ended. */
@NullMarked
package dev.touchstone.queue.log.recover;

import org.jspecify.annotations.NullMarked;
