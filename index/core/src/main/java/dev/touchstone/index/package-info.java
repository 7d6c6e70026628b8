/**
 * A price index, which finds the prices that apply among millions of prices with about twenty conditions each. This package holds the values that all
 * indexes use: prices, fields, policies, explanations and exceptions.
 *
 * <p>{@link dev.touchstone.index.price.PriceIndex} is the entry point.
 *
 * <p>{@code docs/dev/index.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.index;

import org.jspecify.annotations.NullMarked;
