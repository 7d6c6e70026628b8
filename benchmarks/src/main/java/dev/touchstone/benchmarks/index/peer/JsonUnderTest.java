package dev.touchstone.benchmarks.index.peer;

/** Answers the requests of one of the original's routes, from bytes to bytes. Used by one thread. */
public interface JsonUnderTest {
    /** Answers a request; the status. */
    int answer(byte[] request);

    /** The last answer, in an array of its own. */
    byte[] bytes();
}
