/**
 * A price index: finds, among up to millions of prices under up to twenty conditions each, those that apply.
 *
 * <p>{@link dev.touchstone.index.PriceIndex} is where to begin.
 *
 * <p>{@code docs/dev/index.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.index;

import org.jspecify.annotations.NullMarked;
