package dev.touchstone.benchmarks.queue.replicated;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Attempts at a first call, which servers refuse until they have elected a leader. */
final class Attempts {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Attempts() {}

    /** Calls until that succeeds, for a minute. */
    static <T> T until(Call<T> call) throws IOException {
        long start = System.nanoTime();
        for (; ; ) {
            try {
                return call.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while servers started", e);
            } catch (Exception e) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new IOException("the servers do not accept the first calls", e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** A call of a client. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws Exception;
    }
}
