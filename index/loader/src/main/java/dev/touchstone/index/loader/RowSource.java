package dev.touchstone.index.loader;

import java.io.Closeable;
import java.io.IOException;

/** A source of rows, which are read one after the other. Not thread-safe. */
interface RowSource extends Closeable {
    /**
     * Reads the next row into a draft, which must be empty.
     *
     * @return false at the end of the source
     * @throws RowException if the row is not a price; the next call reads the row behind it
     */
    boolean next(RowDraft draft) throws IOException, RowException;

    /** Returns whether the source has a column: in its head, or in a row that was read so far if it has no head. */
    boolean hasColumn(int column);

    /** Returns the number of the line at which the current row begins. */
    long line();
}
