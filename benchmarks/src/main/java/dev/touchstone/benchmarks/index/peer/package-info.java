/** Adapters of the engines that are compared. */
@NullMarked
package dev.touchstone.benchmarks.index.peer;

import org.jspecify.annotations.NullMarked;
