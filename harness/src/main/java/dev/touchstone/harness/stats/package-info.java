/** Estimates and intervals over forks. */
@NullMarked
package dev.touchstone.harness.stats;

import org.jspecify.annotations.NullMarked;
