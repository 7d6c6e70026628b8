package dev.touchstone.benchmarks.index.http;

import java.io.Closeable;
import java.io.IOException;

/** Connections that one thread serves: each sends its next request when it has its answer. */
public interface AnswerSource extends Closeable {
    /**
     * Waits for the next answer; returns how long it took, in nanoseconds.
     *
     * @throws IOException if the answer says that there is none
     */
    long next() throws IOException;

    /** Waits for the answers to all that was sent. */
    void drain() throws IOException;
}
