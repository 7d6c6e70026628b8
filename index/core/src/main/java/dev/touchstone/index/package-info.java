/**
 * A price index: finds, among up to millions of prices under up to twenty conditions each, those that apply.
 *
 * <p>{@link dev.touchstone.index.PriceIndex} is where to begin.
 */
@NullMarked
package dev.touchstone.index;

import org.jspecify.annotations.NullMarked;
