package dev.touchstone.builds.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how many large bodies of requests are in memory at once. Small ones are read without a place, so that nobody who sends large ones slowly keeps them
 * out. Who sends a large one for longer than a second loses the place to the next who wants one. Thread-safe.
 */
final class Bodies {
    /*
     * Who calls:  threads of requests, each for its own.
     * Invariants: a place is held by a body that is being read, in `reading`, or by one that is used, in `used`: together at most `most`.
     * Ordering:   a place is taken from a body that is being read only; whoever has read it finds out by `use`, before the body is used.
     * Failure:    whoever loses the place is cut off.
     */
    /** The most bytes of a body. */
    static final int MAX_BODY = 1 << 20;

    private static final int SMALL = 16 << 10;
    private static final int MAX_PLACES = 8;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int HEAP_SHIFT =
            24; // a place for 16 MiB of heap: a body, its decoded form and its job have up to 5 MiB

    private final int most =
            (int) Math.max(1, Math.min(MAX_PLACES, Runtime.getRuntime().maxMemory() >> HEAP_SHIFT));

    @GuardedBy("this")
    private final Map<Reply, Long> reading = new LinkedHashMap<>(); // since when, the first first

    @GuardedBy("this")
    private int used;

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
        enter(reply);
        byte[] body;
        try {
            body = reply.rest(first, MAX_BODY);
        } catch (IOException | Problem | RuntimeException | Error e) {
            left(reply);
            throw e;
        }
        use(reply);
        try {
            use.of(body);
        } finally {
            used();
        }
    }

    private synchronized void enter(Reply reply) throws Problem {
        long now = System.nanoTime();
        if (reading.size() + used >= most) {
            Iterator<Map.Entry<Reply, Long>> holders = reading.entrySet().iterator();
            Map.Entry<Reply, Long> first = holders.hasNext() ? holders.next() : null;
            if (first == null || now - first.getValue() < PATIENCE_NANOS) {
                reply.set("Retry-After", "1");
                throw Problem.of(503, "too many large bodies at once: most=" + most + " bytes=" + SMALL);
            }
            holders.remove();
            first.getKey().cut();
        }
        reading.put(reply, now);
    }

    private synchronized void left(Reply reply) {
        reading.remove(reply);
    }

    /** Keeps the place while the body is used, unless another has got it meanwhile. */
    private synchronized void use(Reply reply) throws IOException {
        if (reading.remove(reply) == null) {
            throw new IOException("body came too slowly, and another request has its place: most seconds="
                    + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS));
        }
        used++;
    }

    private synchronized void used() {
        used--;
    }
}
