/** Subjects that are broken on purpose, each of which the checks of {@code verify} have to notice. */
@NullMarked
package dev.touchstone.benchmarks.mutants;

import org.jspecify.annotations.NullMarked;
