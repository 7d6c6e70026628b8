/** Benchmarks of the build service, the seed's workload above all. */
@NullMarked
package dev.touchstone.benchmarks.builds;

import org.jspecify.annotations.NullMarked;
