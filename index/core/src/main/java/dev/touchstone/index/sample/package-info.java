/** Sample prices for tests of an index: the data set of the first measurement, and generated prices with properties that it lacks. */
@NullMarked
package dev.touchstone.index.sample;

import org.jspecify.annotations.NullMarked;
