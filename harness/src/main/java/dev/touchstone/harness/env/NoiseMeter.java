package dev.touchstone.harness.env;

import dev.touchstone.harness.store.Noise;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures what the rest of the machine does between two moments. One meter serves one fork; not thread-safe.
 *
 * <p>The work of this process, of its living descendants and of the children that it has waited for is its own; everything else is
 * foreign.
 */
public final class NoiseMeter {
    private final SystemFiles files;
    private final LongSupplier nanoTime;
    private final LongSupplier descendantsNanos;
    private final Reading begin;

    private NoiseMeter(SystemFiles files, LongSupplier nanoTime, LongSupplier descendantsNanos) {
        this.files = files;
        this.nanoTime = nanoTime;
        this.descendantsNanos = descendantsNanos;
        this.begin = read();
    }

    /** Begins a measurement. */
    public static NoiseMeter start() {
        return start(SystemFiles.ofThisMachine(), System::nanoTime, NoiseMeter::livingDescendantsNanos);
    }

    static NoiseMeter start(SystemFiles files, LongSupplier nanoTime, LongSupplier descendantsNanos) {
        return new NoiseMeter(files, nanoTime, descendantsNanos);
    }

    /** Returns what other processes did since the start; may be called more than once. */
    public Noise stop() {
        Reading end = read();
        long elapsed = Math.max(1, end.nanos - begin.nanos);
        return new Noise(
                foreignCores(end, elapsed),
                end.cpu.stealPercentSince(begin.cpu),
                pressurePercent(begin.cpuMicros, end.cpuMicros, elapsed),
                pressurePercent(begin.ioMicros, end.ioMicros, elapsed),
                swapPages(end),
                busiestDiskPercent(end, elapsed));
    }

    private double foreignCores(Reading end, long elapsedNanos) {
        if (!begin.cpu.known() || !end.cpu.known() || begin.ownNanos < 0 || end.ownNanos < 0) {
            return -1;
        }
        long busyNanos = (end.cpu.busy() - begin.cpu.busy()) * CpuTicks.NANOS_PER_TICK;
        // Ticks are counted at other moments than a process's own time, so a small negative difference means none.
        return Math.max(0, busyNanos - (end.ownNanos - begin.ownNanos)) / (double) elapsedNanos;
    }

    private static double pressurePercent(long beginMicros, long endMicros, long elapsedNanos) {
        return beginMicros < 0 || endMicros < 0 ? -1 : 100.0 * 1000 * (endMicros - beginMicros) / elapsedNanos;
    }

    private double swapPages(Reading end) {
        return begin.swapPages < 0 || end.swapPages < 0 ? -1 : end.swapPages - begin.swapPages;
    }

    private double busiestDiskPercent(Reading end, long elapsedNanos) {
        double busiest = -1;
        for (Map.Entry<String, Long> disk : end.diskMillis.entrySet()) {
            Long before = begin.diskMillis.get(disk.getKey());
            if (before != null) {
                busiest = Math.max(busiest, 1e8 * (disk.getValue() - before) / elapsedNanos);
            }
        }
        return Math.min(100, busiest);
    }

    private Reading read() {
        long selfTicks = ProcText.ticksWithChildren(files.read("proc/self/stat"));
        return new Reading(
                nanoTime.getAsLong(),
                CpuTicks.parse(files.read("proc/stat")),
                selfTicks < 0 ? -1 : selfTicks * CpuTicks.NANOS_PER_TICK + descendantsNanos.getAsLong(),
                ProcText.pressureMicros(files.read("proc/pressure/cpu")),
                ProcText.pressureMicros(files.read("proc/pressure/io")),
                ProcText.swapPages(files.read("proc/vmstat")),
                ProcText.diskMillis(files.read("proc/diskstats")));
    }

    private static long livingDescendantsNanos() {
        return ProcessHandle.current()
                .descendants()
                .mapToLong(process ->
                        process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
                .sum();
    }

    /**
     * The counters at one moment.
     *
     * @param ownNanos CPU time of this process and what it started, or -1
     * @param diskMillis time in which each disk had work
     */
    private record Reading(
            long nanos,
            CpuTicks cpu,
            long ownNanos,
            long cpuMicros,
            long ioMicros,
            long swapPages,
            Map<String, Long> diskMillis) {}
}
