package dev.touchstone.benchmarks.serialization.library;

import java.io.IOException;

/** A library that knows whole objects only. */
interface ObjectFormat {
    /** The object's bytes, in an array of its own. */
    byte[] write(Object object) throws IOException;

    Object read(byte[] bytes) throws IOException;
}
