package dev.touchstone.benchmarks.serialization.peer;

import java.io.IOException;

/** Writes and reads some records again and again, each in the form that the library works on, made before. Not thread-safe. */
public interface CodecUnderTest {
    /** The bytes of a record, in an array of its own. */
    byte[] encode(int record) throws IOException;

    /** An object of a record's bytes, written before; {@link PlainRecords} understands it. */
    Object decode(int record) throws IOException;

    /** Decodes like {@link #decode}, from bytes that {@link #encode} has returned. */
    Object read(byte[] bytes) throws IOException;

    /** The {@code stringField} in a record's bytes, by the shortest way that the library has. */
    String readString(int record) throws IOException;

    /** Returns whether the {@code stringField} in a record's bytes equals the string that this codec was created with. */
    boolean stringEquals(int record) throws IOException;
}
