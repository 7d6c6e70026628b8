package dev.touchstone.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Bytes that the measuring thread allocates in an iteration, as a counter. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Allocation {

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long atStart;

    @Setup(Level.Iteration)
    public void begin() {
        atStart = threads.getCurrentThreadAllocatedBytes();
    }

    /** Bytes allocated. */
    public long allocatedBytes() {
        return threads.getCurrentThreadAllocatedBytes() - atStart;
    }
}
