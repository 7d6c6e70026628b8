/** Faults of members that run in processes of their own, and programs that these processes run. */
@NullMarked
package dev.touchstone.queue.replicated.faults;

import org.jspecify.annotations.NullMarked;
