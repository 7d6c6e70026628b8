package dev.touchstone.harness.env;

/**
 * Clock ticks of all processors since the machine started: the first line of {@code /proc/stat}.
 *
 * @param busy user, nice, system, irq and softirq
 * @param total busy, idle, waiting for I/O and steal
 */
record CpuTicks(long busy, long steal, long total) {
    /** Linux shows ticks of this length to programs on every architecture that a JDK 17 runs on. */
    static final long NANOS_PER_TICK = 10_000_000;

    /** Stands where {@code /proc/stat} is absent. */
    static final CpuTicks UNKNOWN = new CpuTicks(-1, -1, -1);

    static CpuTicks parse(String stat) {
        String[] fields = stat.lines().findFirst().orElse("").trim().split(" +", -1);
        if (fields.length < 9 || !fields[0].equals("cpu")) {
            return UNKNOWN;
        }
        long[] ticks = new long[8];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = ProcText.number(fields[i + 1]);
            if (ticks[i] < 0) {
                return UNKNOWN;
            }
        }
        long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
        return new CpuTicks(busy, ticks[7], busy + ticks[3] + ticks[4] + ticks[7]);
    }

    boolean known() {
        return total >= 0;
    }

    /** Share of the time since {@code earlier} that the hypervisor took, or -1. */
    double stealPercentSince(CpuTicks earlier) {
        long passed = total - earlier.total;
        return known() && earlier.known() && passed > 0 ? 100.0 * (steal - earlier.steal) / passed : -1;
    }
}
