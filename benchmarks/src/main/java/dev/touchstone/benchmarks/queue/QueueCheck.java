package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A check of one subject of one workload, which does enough of the work to fill buffers: by itself, then in the benchmark's methods. */
final class QueueCheck implements SemanticCheck {

    /** The work of a workload, by the benchmark that times it. */
    enum Work {
        WRITE(QueueWriteBenchmark.class),
        LATENCY(QueueLatencyBenchmark.class),
        ROLL(QueueRollBenchmark.class),
        ASYNC(QueueAsyncBenchmark.class),
        BULK(QueueBulkBenchmark.class),
        SCAN(QueueScanBenchmark.class),
        POLL(QueuePollBenchmark.class),
        MIXED(QueueMixedBenchmark.class),
        JOBS(QueueJobsBenchmark.class);

        private final Class<?> benchmark;

        Work(Class<?> benchmark) {
            this.benchmark = benchmark;
        }

        /**
         * Returns the work that {@code benchmark} times.
         *
         * @param benchmark class and method, as a workload names it
         * @throws IllegalArgumentException if no work belongs to that class
         */
        static Work of(String benchmark) {
            String type = benchmark.substring(0, benchmark.lastIndexOf('.'));
            for (Work work : values()) {
                if (work.benchmark.getName().equals(type)) {
                    return work;
                }
            }
            throw new IllegalArgumentException("benchmark=" + benchmark + " has no kind of work in QueueCheck.Work");
        }
    }

    private static final int THREADS = 3;
    private static final int DURABLE_RECORDS = 120;
    private static final int RECORDS = 3_000;
    private static final int CEILING_BUFFER_BYTES = 64 << 10;
    private static final int BULKS = 4;
    private static final int JOB_WORKERS = 8;
    private static final int JOBS_EACH = 50;
    private static final int ROLL_FILE_BYTES = 1 << 20;

    private final String workload;
    private final Work work;
    private final QueueType subject;

    QueueCheck(String workload, Work work, QueueType subject) {
        this.workload = workload;
        this.work = work;
        this.subject = subject;
    }

    @Override
    public String workload() {
        return workload;
    }

    @Override
    public String subject() {
        return subject.name();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        int records = subject.durable() ? DURABLE_RECORDS : RECORDS;
        BenchmarkCalls calls = new BenchmarkCalls(subject, folder(dataFolder, "calls"));
        int heldBytes = subject.durable() ? 0 : CEILING_BUFFER_BYTES;
        switch (work) {
            case WRITE, LATENCY -> {
                write(dataFolder, records, heldBytes);
                calls.write(timed(), subject.ceiling() ? 1 : THREADS, records, heldBytes);
            }
            case ROLL -> {
                write(dataFolder, records, heldBytes);
                calls.write(timed(), 1, records, heldBytes);
            }
            case ASYNC -> {
                if (!subject.ceiling()) {
                    new QueueChecks(subject, folder(dataFolder, "async")).async(RECORDS);
                }
                calls.write(timed(), subject.ceiling() ? 1 : THREADS, RECORDS, CEILING_BUFFER_BYTES);
            }
            case BULK -> {
                if (!subject.ceiling()) {
                    new QueueChecks(subject, folder(dataFolder, "bulks")).bulks(BULKS);
                }
                calls.write(timed(), subject.ceiling() ? 1 : THREADS, BULKS, heldBytes);
            }
            case SCAN -> {
                new QueueChecks(subject, folder(dataFolder, "scanned")).scanned(records);
                calls.scan(records);
            }
            case POLL -> {
                new QueueChecks(subject, folder(dataFolder, "polled")).fifo(records);
                calls.poll();
            }
            case MIXED -> {
                new QueueChecks(subject, folder(dataFolder, "mixed")).mixed(THREADS, records);
                calls.mixed(records);
            }
            case JOBS -> {
                JobChecks jobs = new JobChecks(subject);
                jobs.doneOnce(folder(dataFolder, "done"), JOB_WORKERS, JOBS_EACH);
                jobs.forces(folder(dataFolder, "forces"), JOBS_EACH);
                jobs.ended(folder(dataFolder, "ended"));
                calls.jobs(JOB_WORKERS, JOBS_EACH);
            }
        }
    }

    private WritingBenchmark timed() {
        switch (work) {
            case LATENCY -> {
                QueueLatencyBenchmark latency = new QueueLatencyBenchmark();
                latency.subject = subject;
                return latency;
            }
            case ROLL -> {
                QueueRollBenchmark roll = new QueueRollBenchmark();
                roll.subject = subject;
                roll.fileBytes = ROLL_FILE_BYTES;
                return roll;
            }
            case ASYNC -> {
                QueueAsyncBenchmark async = new QueueAsyncBenchmark();
                async.subject = subject;
                return async;
            }
            case BULK -> {
                QueueBulkBenchmark bulk = new QueueBulkBenchmark();
                bulk.subject = subject;
                return bulk;
            }
            default -> {
                QueueWriteBenchmark write = new QueueWriteBenchmark();
                write.subject = subject;
                return write;
            }
        }
    }

    private void write(Path dataFolder, int records, int heldBytes) throws CheckFailedException, IOException {
        if (subject.ceiling()) {
            new QueueChecks(subject, folder(dataFolder, "written")).written(records, heldBytes);
        } else if (subject.fifo()) {
            new QueueChecks(subject, folder(dataFolder, "fifo")).fifo(records);
            new QueueChecks(subject, folder(dataFolder, "producers")).producers(THREADS, records);
        } else {
            new QueueChecks(subject, folder(dataFolder, "stored")).stored(THREADS, records);
        }
    }

    private static Path folder(Path dataFolder, String name) throws IOException {
        return Files.createDirectory(dataFolder.resolve(name));
    }
}
