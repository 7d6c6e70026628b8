package dev.touchstone.benchmarks.messaging;

import com.sun.management.OperatingSystemMXBean;
import dev.touchstone.benchmarks.MeasuredCount;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The processor time of this JVM, and of what a subject runs beside it. */
final class CpuTime {

    private CpuTime() {}

    /**
     * Returns a count of this process's and other processes' processor time in microseconds.
     *
     * @param otherNanos processor time of other processes
     */
    static MeasuredCount micros(LongSupplier otherNanos) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new MeasuredCount(
                () -> TimeUnit.NANOSECONDS.toMicros(system.getProcessCpuTime() + otherNanos.getAsLong()));
    }
}
