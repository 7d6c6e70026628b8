/** What the benchmarks of several parts share. */
@NullMarked
package dev.touchstone.benchmarks;

import org.jspecify.annotations.NullMarked;
