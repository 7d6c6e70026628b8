package dev.touchstone.benchmarks.serialization.peer;

import java.io.IOException;

/** Writes and reads some records again and again, each in the form that the library works on, made before. Not thread-safe. */
public interface CodecUnderTest {
    /** The bytes of a record, in an array of its own. */
    byte[] encode(int record) throws IOException;

    /** An object of a record's bytes, written before; {@link PlainRecords} understands it. */
    Object decode(int record) throws IOException;

    /** As {@link #decode}, of bytes that {@link #encode} has given. */
    Object read(byte[] bytes) throws IOException;

    /** The {@code stringField} in a record's bytes, by the shortest way that the library has. */
    String readString(int record) throws IOException;

    /** Whether the {@code stringField} in a record's bytes is the one that was asked for when this was made. */
    boolean stringEquals(int record) throws IOException;
}
