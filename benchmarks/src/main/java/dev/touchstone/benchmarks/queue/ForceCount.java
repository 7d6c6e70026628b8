package dev.touchstone.benchmarks.queue;

import org.openjdk.jmh.infra.Control;

/**
 * The forces of a subject between the begin and the end of JMH's measured time: while threads wait for one another before and after
 * it they work on, and that must not count. Thread-safe.
 */
final class ForceCount {

    private static final long UNSEEN = -1;

    private final CappedQueue queue;
    private long atStart = UNSEEN;
    private long atStop = UNSEEN;

    ForceCount(CappedQueue queue) {
        this.queue = queue;
    }

    /** Returns one thread's view. */
    Observer observer() {
        return new Observer();
    }

    /** Forces in the measured time; valid once the iteration is over. */
    synchronized long total() {
        if (atStart == UNSEEN) {
            return 0;
        }
        return (atStop == UNSEEN ? queue.forces() : atStop) - atStart;
    }

    private synchronized void start() {
        if (atStart == UNSEEN) {
            atStart = queue.forces();
        }
    }

    private synchronized void stop() {
        if (atStop == UNSEEN) {
            atStop = queue.forces();
        }
    }

    /** Tells the count where the iteration stands: whichever thread sees it first does. Belongs to one thread. */
    final class Observer {

        private boolean started;
        private boolean stopped;

        private Observer() {}

        /** To be called before each operation. */
        void observe(Control control) {
            if (!started) {
                if (control.startMeasurement) {
                    started = true;
                    start();
                }
            } else if (!stopped && control.stopMeasurement) {
                stopped = true;
                stop();
            }
        }
    }
}
