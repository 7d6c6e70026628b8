package dev.touchstone.benchmarks.queue;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where subjects with native code run. */
public final class NativeSubjects {
    private static final Path AIO = Path.of("/usr/lib/x86_64-linux-gnu/libaio.so.1");

    private NativeSubjects() {}

    /** Skips the test of a subject that has no library for this machine. */
    public static void assumeRuns(String subject) {
        String machine = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
        boolean known = machine.equals("Linux/amd64");
        assumeTrue(
                !subject.startsWith("ROCKSDB") || known,
                () -> "rocksdbjni:linux64 has no library for " + machine + ": run on Linux on x86-64");
        assumeTrue(
                !subject.equals("ARTEMIS_AIO") || (known && Files.exists(AIO)),
                () -> "no " + AIO + ": install libaio1, on Linux on x86-64");
    }
}
