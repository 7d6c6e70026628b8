/** Adapters that put every measured queue, and every physical limit, behind one small interface. */
@NullMarked
package dev.touchstone.benchmarks.queue.peer;

import org.jspecify.annotations.NullMarked;
