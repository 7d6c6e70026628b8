package dev.touchstone.benchmarks.queue.idle;

import java.util.Locale;

/**
 * Figures of idle queues: what they added to the process that has them open.
 *
 * @param schema version of the JSON form
 * @param durability of every queue
 * @param queues queues that were asked for
 * @param opened queues that were open; fewer where the disk had no room for more
 * @param seconds time over which context switches were counted
 * @param threads threads of all queues
 * @param switchesPerSecond voluntary context switches of all queues in a second: those of the process less {@code
 *     switchesPerSecondBefore}
 * @param switchesPerSecondBefore voluntary context switches of the process in a second before it opened a queue
 * @param heapBytesPerQueue used heap after a collection, divided by the queues
 * @param diskBytesPerQueue allocated blocks and not lengths of files, divided by the queues
 */
record IdleReport(
        int schema,
        String durability,
        int queues,
        int opened,
        int seconds,
        int threads,
        double switchesPerSecond,
        double switchesPerSecondBefore,
        long heapBytesPerQueue,
        long diskBytesPerQueue) {

    static final int SCHEMA = 1;
    private static final int MAX_THREADS = 4;
    private static final int MAX_SWITCHES = 50;
    private static final int MAX_HEAP_BYTES = 64 << 10;
    private static final int MAX_DISK_BYTES = 1 << 20;

    /** Returns the report as a table that sets each figure beside its bar. */
    String text() {
        return String.format(
                        Locale.ROOT,
                        "%d of %d idle queues, %s%n%n%-36s%14s%10s%n",
                        opened,
                        queues,
                        durability,
                        "",
                        "measured",
                        "bar")
                + line("threads of all queues", threads, MAX_THREADS)
                + line("voluntary switches/s of all queues", switchesPerSecond, MAX_SWITCHES)
                + line("heap of one, KiB", heapBytesPerQueue / 1024.0, MAX_HEAP_BYTES >> 10)
                + line("disk of one, KiB", diskBytesPerQueue / 1024.0, MAX_DISK_BYTES >> 10);
    }

    private static String line(String what, double measured, int bar) {
        return String.format(Locale.ROOT, "%-36s%14.1f%10d%s%n", what, measured, bar, measured > bar ? "  missed" : "");
    }
}
