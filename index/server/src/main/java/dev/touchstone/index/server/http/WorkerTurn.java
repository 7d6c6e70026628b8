package dev.touchstone.index.server.http;

import java.util.function.LongSupplier;

/**
 * The time for which a worker keeps its processor before it yields it: where all processors work, an event loop that has something to do would otherwise
 * wait for the end of the worker's time slice, which is milliseconds long. Not thread-safe; the executor passes it from one worker to the next.
 *
 * <p>A worker that yields beside other busy programs gives a whole slice away, so it works half as long as it was away the last time, up to a limit.
 * Otherwise it would get a fiftieth of a processor beside one such program, and miss its deadline.
 */
final class WorkerTurn {
    /** Minimum time for which a worker keeps its processor. */
    static final long NANOS = 50_000;

    /** Maximum of that time: two workers that yield to each other would else have turns as long as a slice. */
    static final long MAX_NANOS = 6 * NANOS;

    private final LongSupplier clock;
    private final Runnable yield;
    private long next; // nanosecond time from which on the worker yields

    /**
     * Creates a turn that begins now.
     *
     * @param clock returns the nanosecond time
     * @param yield lets other threads have the processor
     */
    WorkerTurn(LongSupplier clock, Runnable yield) {
        this.clock = clock;
        this.yield = yield;
        next = clock.getAsLong() + NANOS;
    }

    /** Yields the processor if the turn is over, and begins the next turn. */
    void pass() {
        long now = clock.getAsLong();
        if (now - next >= 0) {
            yield.run();
            long back = clock.getAsLong();
            next = back + Math.max(NANOS, Math.min(MAX_NANOS, (back - now) / 2));
        }
    }
}
