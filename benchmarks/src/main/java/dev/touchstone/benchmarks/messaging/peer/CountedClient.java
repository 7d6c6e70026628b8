package dev.touchstone.benchmarks.messaging.peer;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client of echoes that run by themselves and are counted: a call takes one of them, and waits while there is none.
 *
 * <p>For subjects whose echoes a thread of JMH cannot make: those of Erlang processes, and those that one thread makes for all clients.
 * The calls of an iteration are then as many as the echoes of its time, but for what is made between two looks at the count, at the
 * iteration's begin and at its end. The looks are so few that they cost the subject nothing that would show.
 */
final class CountedClient implements EchoUnderTest.Client {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Count count;
    private final Object answer;
    private long counted;
    private long taken;

    /**
     * Creates a client whose echoes are counted elsewhere.
     *
     * @param count this client's echoes
     * @param answer what each call returns
     */
    CountedClient(Count count, Object answer) {
        this.count = count;
        this.answer = answer;
    }

    /** Lets go of the echoes that were made since the last call. */
    @Override
    public void begin() throws IOException {
        counted = count.echoes();
        taken = counted;
    }

    @Override
    public Object echo() throws IOException, InterruptedException {
        if (taken == counted) {
            await();
        }
        taken++;
        return answer;
    }

    private void await() throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (taken == counted) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException("while echoes were awaited");
            }
            counted = count.echoes();
            if (taken == counted && System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IOException("no echo within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
            }
        }
    }

    /** The count of a client's echoes. */
    @FunctionalInterface
    interface Count {

        /** Returns how many have been made so far. @throws IOException if no more will come */
        long echoes() throws IOException;
    }
}
