/**
 * An index of entries that are found by their fields: rules, feature flags, products, advertisements. An entry is what a price is without its value and
 * currency; {@link dev.touchstone.index.entry.EntryIndex} is the entry point.
 */
@NullMarked
package dev.touchstone.index.entry;

import org.jspecify.annotations.NullMarked;
