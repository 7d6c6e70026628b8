/** One adapter for each engine. */
@NullMarked
package dev.touchstone.benchmarks.index.peer;

import org.jspecify.annotations.NullMarked;
