package dev.touchstone.benchmarks.messaging.peer;

import java.io.IOException;

/** A term and a library's codec for Erlang's external term format, without the version byte. All calls come from one thread. */
public interface TermUnderTest {

    /** Writes the term, which the library's own constructors made, from the start of a buffer that is used again, and returns its length. */
    int encode();

    /** Reads the term from the bytes that the subject was made with. */
    Object decode() throws IOException;

    /** Returns a copy of what the last {@link #encode} has written. */
    byte[] encoded();

    /** Returns what {@link #decode} has returned as a value of {@link PlainTerms}, in which equal terms of all libraries are equal. */
    Object plain(Object term);
}
