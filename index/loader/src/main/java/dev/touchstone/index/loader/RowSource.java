package dev.touchstone.index.loader;

import java.io.Closeable;
import java.io.IOException;

/** Rows one after the other. Not thread-safe. */
interface RowSource extends Closeable {
    /**
     * Reads the next row into a draft, which is empty.
     *
     * @return false at the end
     * @throws RowException if the row is no price; the next call goes on behind it
     */
    boolean next(RowDraft draft) throws IOException, RowException;

    /** The line where the current row begins. */
    long line();
}
