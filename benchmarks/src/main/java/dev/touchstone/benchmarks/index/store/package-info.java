/** Durable updates of a large index, from the call to the device. */
@NullMarked
package dev.touchstone.benchmarks.index.store;

import org.jspecify.annotations.NullMarked;
