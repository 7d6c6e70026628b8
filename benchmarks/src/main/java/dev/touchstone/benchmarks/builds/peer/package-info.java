/** Subjects of the benchmarks of builds: the service in either topology, and the physical limits. */
@NullMarked
package dev.touchstone.benchmarks.builds.peer;

import org.jspecify.annotations.NullMarked;
