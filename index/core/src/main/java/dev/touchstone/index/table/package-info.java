/** Columns, bitmaps and hash tables that make up a snapshot. They hold numbers and texts, and know nothing of prices. */
@NullMarked
package dev.touchstone.index.table;

import org.jspecify.annotations.NullMarked;
