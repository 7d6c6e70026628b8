package dev.touchstone.builds.agent.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * The most that all processes of one build may use together. Immutable.
 *
 * @param memoryBytes memory, what they keep in {@code /tmp} of a sandbox and in the page cache included; 0 for no limit
 * @param processes processes and threads at a time; 0 for no limit
 * @param cpus processors, such as 1.5; 0 for no limit
 */
public record Limits(long memoryBytes, long processes, double cpus) {
    /** No limits. */
    public static final Limits NONE = new Limits(0, 0, 0);

    /** Smallest limit of memory: what an interpreter needs to start. */
    public static final long MIN_MEMORY_BYTES = 1L << 20;

    /** Most processes that the kernel takes as a limit: more than any machine can have. */
    public static final long MAX_PROCESSES = 4_194_304;

    /** Smallest limit of processors, and the step in which it counts. */
    public static final double MIN_CPUS = 0.01;

    /** Most processors. */
    public static final double MAX_CPUS = 10_000;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is negative, or too small or too large to be one
     */
    public Limits {
        if (memoryBytes != 0 && memoryBytes < MIN_MEMORY_BYTES) {
            throw new IllegalArgumentException("memoryBytes=" + memoryBytes + " is less than " + MIN_MEMORY_BYTES);
        }
        if (processes < 0 || processes > MAX_PROCESSES) {
            throw new IllegalArgumentException("processes=" + processes + " is not 0 to " + MAX_PROCESSES);
        }
        if (cpus != 0 && !(cpus >= MIN_CPUS && cpus <= MAX_CPUS)) {
            throw new IllegalArgumentException("cpus=" + cpus + " is not " + MIN_CPUS + " to " + MAX_CPUS);
        }
    }

    /** Returns whether nothing is limited. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns the kernel's names of the controllers that hold these limits. */
    List<String> controllers() {
        List<String> names = new ArrayList<>();
        if (memoryBytes != 0) {
            names.add("memory");
        }
        if (processes != 0) {
            names.add("pids");
        }
        if (cpus != 0) {
            names.add("cpu");
        }
        return names;
    }
}
