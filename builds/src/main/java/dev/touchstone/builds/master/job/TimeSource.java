package dev.touchstone.builds.master.job;

import java.util.function.LongSupplier;

/**
 * The clocks of a master: leases and timeouts go by the one that never jumps, times that people see by the other.
 *
 * @param nanosSource monotonic, from any start
 * @param millisSource since 1970
 */
public record TimeSource(LongSupplier nanosSource, LongSupplier millisSource) {
    public static final TimeSource SYSTEM = new TimeSource(System::nanoTime, System::currentTimeMillis);

    public long nanos() {
        return nanosSource.getAsLong();
    }

    public long millis() {
        return Math.max(0, millisSource.getAsLong());
    }
}
