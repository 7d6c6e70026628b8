/** Prices to try an index with: the data set of the project's origin, and generated ones that have what it lacks. */
@NullMarked
package dev.touchstone.index.sample;

import org.jspecify.annotations.NullMarked;
