/**
 * Classes that the benchmarks of several parts share.
 *
 * <p>The way of one cell through the packages, the invariants and recipes for changes are described in {@code docs/dev/benchmarks.md}.
 */
@NullMarked
package dev.touchstone.benchmarks;

import org.jspecify.annotations.NullMarked;
