/** The prices that index benchmarks search, and the requests for them. */
@NullMarked
package dev.touchstone.benchmarks.index.data;

import org.jspecify.annotations.NullMarked;
