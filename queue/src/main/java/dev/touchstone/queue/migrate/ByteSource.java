package dev.touchstone.queue.migrate;

import java.io.IOException;

/** Read access by offset to the bytes in which the records of another queue lie, big-endian. */
interface ByteSource {
    /** Returns whether {@code bytes} bytes can be read at {@code at}. */
    boolean has(long at, long bytes);

    /** Returns the integer at {@code at}. */
    int intAt(long at) throws IOException;

    /** Fills {@code target} with the bytes at {@code at}. */
    void read(long at, byte[] target) throws IOException;

    /** Returns the file and the offset in the file that {@code at} stands for, as messages name them. */
    String place(long at);

    /** Returns the exception for a wrong value at {@code at}; its file and offset are those of the source. */
    CorruptSourceException corrupt(long at, String field, Object expected, Object got);
}
