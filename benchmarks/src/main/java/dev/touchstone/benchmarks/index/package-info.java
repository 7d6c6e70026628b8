/** Searches for prices: by our index, the engines that the seed compared, and general engines, all of which give equal answers. */
@NullMarked
package dev.touchstone.benchmarks.index;

import org.jspecify.annotations.NullMarked;
