package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One subject of one workload doing a little of its work, enough to fill its buffers: by itself, then in the benchmark's methods. */
abstract class QueueCheck implements SemanticCheck {

    /** What the workload does. */
    enum Work {
        WRITE,
        SCAN,
        MIXED
    }

    private static final int THREADS = 3;
    private static final int DURABLE_RECORDS = 120;
    private static final int RECORDS = 3_000;
    private static final int CEILING_BUFFER_BYTES = 64 << 10;

    private final String workload;
    private final Work work;
    private final QueueType subject;

    QueueCheck(String workload, Work work, QueueType subject) {
        this.workload = workload;
        this.work = work;
        this.subject = subject;
    }

    @Override
    public final String workload() {
        return workload;
    }

    @Override
    public final String subject() {
        return subject.name();
    }

    @Override
    public final void run(Path dataFolder) throws CheckFailedException, IOException {
        int records = subject.durable() ? DURABLE_RECORDS : RECORDS;
        BenchmarkCalls calls = new BenchmarkCalls(subject, folder(dataFolder, "calls"));
        switch (work) {
            case WRITE -> {
                write(dataFolder, records);
                calls.write(subject.ceiling() ? 1 : THREADS, records, subject.durable() ? 0 : CEILING_BUFFER_BYTES);
            }
            case SCAN -> {
                new QueueChecks(subject, folder(dataFolder, "scanned")).scanned(records);
                calls.scan(records);
            }
            case MIXED -> {
                new QueueChecks(subject, folder(dataFolder, "mixed")).mixed(THREADS, records);
                calls.mixed(records);
            }
        }
    }

    private void write(Path dataFolder, int records) throws CheckFailedException, IOException {
        if (subject.ceiling()) {
            new QueueChecks(subject, folder(dataFolder, "written"))
                    .written(records, subject.durable() ? 0 : CEILING_BUFFER_BYTES);
        } else {
            new QueueChecks(subject, folder(dataFolder, "fifo")).fifo(records);
            new QueueChecks(subject, folder(dataFolder, "producers")).producers(THREADS, records);
        }
    }

    private static Path folder(Path dataFolder, String name) throws IOException {
        return Files.createDirectory(dataFolder.resolve(name));
    }
}
