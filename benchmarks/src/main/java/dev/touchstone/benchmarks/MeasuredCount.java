package dev.touchstone.benchmarks;

import java.util.function.LongSupplier;
import org.openjdk.jmh.infra.Control;

/**
 * The growth of a count between the begin and the end of JMH's measured time: while threads wait for one another before and after it
 * they work on, and that must not count. One for each iteration. Thread-safe.
 */
public final class MeasuredCount {

    private static final long UNSEEN = Long.MIN_VALUE;

    private final LongSupplier count;
    private long atStart = UNSEEN;
    private long atStop = UNSEEN;

    /**
     * Creates the measurement of one iteration.
     *
     * @param count returns a count that never falls, or always a number below 0 where nothing is counted
     */
    public MeasuredCount(LongSupplier count) {
        this.count = count;
    }

    /** Returns one thread's view. */
    public Observer observer() {
        return new Observer();
    }

    /** Ends the measured time if no thread has seen its end; needed after an iteration if the count cannot be read later. */
    public synchronized void end() {
        if (atStop == UNSEEN) {
            atStop = count.getAsLong();
        }
    }

    /** Returns the growth in the measured time, up to now where nobody has seen its end; 0 where it has not begun, below 0 where nothing is counted. */
    public synchronized long total() {
        if (atStart == UNSEEN) {
            return 0;
        }
        long now = atStop == UNSEEN ? count.getAsLong() : atStop;
        return now < 0 ? now : now - atStart;
    }

    private synchronized void start() {
        if (atStart == UNSEEN) {
            atStart = count.getAsLong();
        }
    }

    /** Tells the count where the iteration stands: whichever thread sees it first does. Belongs to one thread. */
    public final class Observer {

        private boolean started;
        private boolean stopped;

        private Observer() {}

        /** Looks for the begin and the end of the measured time; called before each operation. */
        public void observe(Control control) {
            if (!started) {
                if (control.startMeasurement) {
                    started = true;
                    start();
                }
            } else if (!stopped && control.stopMeasurement) {
                stopped = true;
                end();
            }
        }
    }
}
