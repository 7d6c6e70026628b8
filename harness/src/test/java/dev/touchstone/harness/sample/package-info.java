/** A tiny project with benchmarks, as the harness meets one. */
@NullMarked
package dev.touchstone.harness.sample;

import org.jspecify.annotations.NullMarked;
