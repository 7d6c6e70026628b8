package dev.touchstone.benchmarks.queue.idle;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Reader of what a process uses, from the JVM and from Linux's files about its threads. */
final class ProcessUsage {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final int COLLECTIONS = 3;

    private ProcessUsage() {}

    /** Returns the number of threads of the JVM that run Java code. */
    static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Returns the bytes of the heap that are in use after garbage collections. */
    static long heapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    /**
     * Returns how often the threads of this process gave up the processor by themselves, as a rate over {@code seconds} from now on. A
     * thread that ends meanwhile does not count; one that starts does.
     */
    static double switchesPerSecond(int seconds) throws IOException, InterruptedException {
        Map<String, Long> before = switches(TASKS);
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        Map<String, Long> after = switches(TASKS);
        double elapsed = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return growth(before, after) / elapsed;
    }

    /** Returns the sum of what each thread of {@code after} has added since {@code before}. */
    static long growth(Map<String, Long> before, Map<String, Long> after) {
        return after.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    /**
     * Reads the voluntary context switches of each thread.
     *
     * @param tasks a folder as {@code /proc/self/task}
     * @return counts by thread id
     * @throws IOException if the folder is not there, which it is on Linux only, or a thread's status has no such line
     */
    static Map<String, Long> switches(Path tasks) throws IOException {
        Map<String, Long> switches = new HashMap<>();
        try (Stream<Path> threads = Files.list(tasks)) {
            for (Path thread : threads.toList()) {
                Path status = thread.resolve("status");
                try {
                    switches.put(String.valueOf(thread.getFileName()), voluntary(status));
                } catch (NoSuchFileException e) {
                    // the thread has ended
                }
            }
        }
        return switches;
    }

    /** Returns the bytes of disk blocks that are allocated below {@code folder}, folders included, as {@code du} counts them. */
    static long diskBytes(Path folder) throws IOException, InterruptedException {
        Process du = new ProcessBuilder("du", "-sk", folder.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (du.waitFor() != 0) {
            throw new IOException("du failed: folder=" + folder + " exit=" + du.exitValue() + " output=" + output);
        }
        return Long.parseLong(output.substring(0, output.indexOf('\t'))) << 10;
    }

    private static long voluntary(Path status) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(status);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) { // ESRCH: the thread ended between open and read
            throw (NoSuchFileException) new NoSuchFileException(status.toString()).initCause(e);
        }
        for (String line : lines) {
            if (line.startsWith(VOLUNTARY)) {
                return Long.parseLong(line.substring(VOLUNTARY.length()).trim());
            }
        }
        throw new IOException("no line '" + VOLUNTARY + "': file=" + status);
    }
}
