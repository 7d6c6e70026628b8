package dev.touchstone.benchmarks.queue;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Where subjects with native code run. */
final class NativeSubjects {

    private NativeSubjects() {}

    /** Skips the test of a subject that has no library for this machine. */
    static void assumeRuns(QueueSubject subject) {
        String machine = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
        assumeTrue(
                !subject.name().equals("ROCKSDB") || machine.equals("Linux/amd64"),
                () -> "rocksdbjni:linux64 has no library for " + machine + ": run on Linux on x86-64");
    }
}
