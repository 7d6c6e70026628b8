/** Columns, bitmaps and tables that a snapshot is made of: numbers in, numbers out. They know nothing of prices. */
@NullMarked
package dev.touchstone.index.table;

import org.jspecify.annotations.NullMarked;
