/**
 * Matrix, cells, plan and forks: what is to be measured, and in which order.
 *
 * <p>The way of one comparison through the packages, the invariants and recipes for changes are described in {@code docs/dev/harness.md}.
 */
@NullMarked
package dev.touchstone.harness.run;

import org.jspecify.annotations.NullMarked;
