/** A queue on several members: the same calls, in one order, on a log of each. Knows no consensus library. */
@NullMarked
package dev.touchstone.queue.replica;

import org.jspecify.annotations.NullMarked;
