package dev.touchstone.queue.log;

/** A clock of a log's leases and delays. Thread-safe. */
public interface LogClock {
    /** The machine's clocks. */
    LogClock SYSTEM = new LogClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long millis() {
            return System.currentTimeMillis();
        }

        @Override
        public long lagNanos() {
            return 0;
        }
    };

    /** Returns a time in nanoseconds since any point of time, for leases and waits. */
    long nanos();

    /** Returns the time in milliseconds of the epoch, for what is kept on disk. */
    long millis();

    /** Returns how many nanoseconds {@link #nanos} is behind the time that passes, for threads that wait. */
    long lagNanos();
}
