/** Searches for the most specific price of a list in which most prices leave conditions out: by our index, by a hash table, and by general engines. */
@NullMarked
package dev.touchstone.benchmarks.index.tariff;

import org.jspecify.annotations.NullMarked;
