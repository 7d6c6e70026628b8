/**
 * Prices: an index that finds the price that applies, its queries, and their results.
 *
 * <p>{@link dev.touchstone.index.price.PriceIndex} is the entry point.
 */
@NullMarked
package dev.touchstone.index.price;

import org.jspecify.annotations.NullMarked;
