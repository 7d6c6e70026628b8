package dev.touchstone.benchmarks.builds.peer;

import java.io.Closeable;
import java.io.IOException;

/** Answers requests that ask for nothing to be done. One thread at a time. */
public interface NoopsUnderTest extends Closeable {
    /** Hands over so many requests at once, and returns when all are answered. */
    void pipelined(int count) throws IOException;

    /** Hands over one request, and returns when it is answered. */
    void roundTrip() throws IOException;

    /** Connects another client, to be closed by the caller; refused where there is no service. */
    default ServiceObserver observe() throws IOException {
        throw new UnsupportedOperationException("there is no service to observe");
    }
}
