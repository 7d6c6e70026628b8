package dev.touchstone.builds.web;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Bounds how many large bodies of requests are in memory at once. Small ones are read without a place, so that nobody who sends large ones slowly keeps them
 * out. Thread-safe.
 */
final class Bodies {
    /** The most bytes of a body. */
    static final int MAX_BODY = 1 << 20;

    private static final int SMALL = 16 << 10;
    private static final int MAX_PLACES = 8;
    private static final int HEAP_SHIFT =
            24; // a place for 16 MiB of heap: a body, its decoded form and its job have up to 5 MiB

    private final int most =
            (int) Math.max(1, Math.min(MAX_PLACES, Runtime.getRuntime().maxMemory() >> HEAP_SHIFT));
    private final Semaphore places = new Semaphore(most);

    /** Uses a body. */
    interface Use {
        /** Answers the request that has the body. */
        void of(byte[] body) throws IOException, Problem;
    }

    /**
     * Reads a body and has it used, in a place of its own if it is large.
     *
     * @throws Problem if the body is too large, or there is no place
     */
    void read(Reply reply, Use use) throws IOException, Problem {
        byte[] first = reply.begin(SMALL, MAX_BODY);
        if (first.length < SMALL) {
            use.of(first);
            return;
        }
        if (!places.tryAcquire()) {
            reply.set("Retry-After", "1");
            throw Problem.of(503, "too many large bodies at once: most=" + most + " bytes=" + SMALL);
        }
        try {
            use.of(reply.rest(first, MAX_BODY));
        } finally {
            places.release();
        }
    }
}
