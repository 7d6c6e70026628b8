package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.ForceTrace;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A check of one subject of one workload, which does enough of the work to fill buffers: by itself, then in the benchmark's methods. */
record QueueCheck(Work work, QueueSubject type) implements SemanticCheck {

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
        REPLICATED(QueueReplicatedBenchmark.class),
        JOBS(QueueJobsBenchmark.class);

        private final Class<?> benchmark;

        /** Returns whether calls of the benchmark write, and so promise something of what they wrote. */
        boolean writes() {
            return this != SCAN && this != POLL;
        }

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

    @Override
    public String observes() {
        String records = switch (work) {
            case SCAN, POLL -> "numbered records, by the order and the bytes in which they come back";
            case JOBS -> "numbered jobs: each is done once, by workers, after a reopening and in a copy of the files";
            case REPLICATED ->
                "numbered records, by scans of the same log and of one that is opened anew after all processes were killed";
            default ->
                type.ceiling()
                        ? "bytes in files, by the file system"
                        : "numbered records, by scans and reads of the same queue and of one that is opened anew";
        };
        String kept = work.writes() && work != Work.JOBS && work != Work.REPLICATED && type.survivesKill()
                ? "; records in the page cache when a call returns, by another instance on a copy of the files"
                : "";
        String forces =
                work == Work.REPLICATED ? "; forces of two processes' files" : "; a force of the subject's files";
        return records + kept + (needsForceTrace() ? forces + " within each call of one thread, by strace" : "");
    }

    @Override
    public boolean needsForceTrace() {
        return work.writes() && type.durable();
    }

    @Override
    public Optional<String> unobserved() {
        return needsForceTrace() ? ForceTrace.missing() : Optional.empty();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        int records = type.durable() ? DURABLE_RECORDS : RECORDS;
        if (work.writes() && work != Work.REPLICATED) {
            new KeptChecks(type, work).run(dataFolder);
        }
        BenchmarkCalls calls = new BenchmarkCalls(type, folder(dataFolder, "calls"));
        int heldBytes = type.durable() ? 0 : CEILING_BUFFER_BYTES;
        switch (work) {
            case WRITE, LATENCY -> {
                write(dataFolder, records, heldBytes);
                calls.write(timed(), type.ceiling() ? 1 : THREADS, records, heldBytes);
            }
            case ROLL -> {
                write(dataFolder, records, heldBytes);
                calls.write(timed(), 1, records, heldBytes);
            }
            case REPLICATED -> {
                new KeptChecks(type, work).runKilled(dataFolder);
                new QueueChecks(type, folder(dataFolder, "stored")).stored(THREADS, records);
                calls.write(timed(), THREADS, records, heldBytes);
            }
            case ASYNC -> {
                if (!type.ceiling()) {
                    new QueueChecks(type, folder(dataFolder, "async")).async(RECORDS);
                }
                calls.write(timed(), type.ceiling() ? 1 : THREADS, RECORDS, CEILING_BUFFER_BYTES);
            }
            case BULK -> {
                if (!type.ceiling()) {
                    new QueueChecks(type, folder(dataFolder, "bulks")).bulks(BULKS);
                }
                calls.write(timed(), type.ceiling() ? 1 : THREADS, BULKS, heldBytes);
            }
            case SCAN -> {
                new QueueChecks(type, folder(dataFolder, "scanned")).scanned(records);
                calls.scan(records);
            }
            case POLL -> {
                new QueueChecks(type, folder(dataFolder, "polled")).fifo(records);
                calls.poll();
            }
            case MIXED -> {
                new QueueChecks(type, folder(dataFolder, "mixed")).mixed(THREADS, records);
                calls.mixed(records);
            }
            case JOBS -> {
                JobChecks jobs = new JobChecks(type);
                jobs.doneOnce(folder(dataFolder, "done"), JOB_WORKERS, JOBS_EACH);
                jobs.ended(folder(dataFolder, "ended"));
                calls.jobs(JOB_WORKERS, JOBS_EACH);
            }
        }
    }

    private WritingBenchmark timed() {
        switch (work) {
            case LATENCY -> {
                QueueLatencyBenchmark latency = new QueueLatencyBenchmark();
                latency.subject = type.name();
                return latency;
            }
            case ROLL -> {
                QueueRollBenchmark roll = new QueueRollBenchmark();
                roll.subject = type.name();
                roll.fileBytes = ROLL_FILE_BYTES;
                return roll;
            }
            case REPLICATED -> {
                QueueReplicatedBenchmark replicated = new QueueReplicatedBenchmark();
                replicated.subject = type.name();
                return replicated;
            }
            case ASYNC -> {
                QueueAsyncBenchmark async = new QueueAsyncBenchmark();
                async.subject = type.name();
                return async;
            }
            case BULK -> {
                QueueBulkBenchmark bulk = new QueueBulkBenchmark();
                bulk.subject = type.name();
                return bulk;
            }
            default -> {
                QueueWriteBenchmark write = new QueueWriteBenchmark();
                write.subject = type.name();
                return write;
            }
        }
    }

    private void write(Path dataFolder, int records, int heldBytes) throws CheckFailedException, IOException {
        if (type.ceiling()) {
            new QueueChecks(type, folder(dataFolder, "written")).written(records, heldBytes);
        } else if (type.fifo()) {
            new QueueChecks(type, folder(dataFolder, "fifo")).fifo(records);
            new QueueChecks(type, folder(dataFolder, "producers")).producers(THREADS, records);
        } else {
            new QueueChecks(type, folder(dataFolder, "stored")).stored(THREADS, records);
        }
    }

    private static Path folder(Path dataFolder, String name) throws IOException {
        return Files.createDirectory(dataFolder.resolve(name));
    }
}
