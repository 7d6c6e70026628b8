package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * An iteration of a benchmark by a fixed number of calls of its own methods: a method that JMH would time and that does
 * nothing, or less than it says, shows. Each call takes an empty folder.
 */
final class BenchmarkCalls {

    private final QueueSubject subject;
    private final Path folder;
    private final Control control = new Control();

    BenchmarkCalls(QueueSubject subject, Path folder) {
        this.subject = subject;
        this.folder = folder;
        control.startMeasurement = true;
    }

    /**
     * Every call of the timed method has put its records into the queue, which its closing counts.
     *
     * @param inMemoryBytes what a ceiling, whose records nobody can count, may hold back from its files
     */
    void write(WritingBenchmark benchmark, int writers, int each, int inMemoryBytes)
            throws CheckFailedException, IOException {
        long records = (long) writers * each * benchmark.recordsPerCall();
        benchmark.use(DataFolder.create(folder));
        try {
            ForceWitness forces = ForceWitness.of(subject, folder);
            benchmark.openQueue(writers);
            List<WritingBenchmark.Calls> threads = new ArrayList<>();
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                WritingBenchmark.Calls calls = benchmark.calls(thread(i, writers), control);
                threads.add(calls);
                tasks.add(() -> {
                    for (int n = 0; n < each; n++) {
                        calls.timed().run();
                    }
                    return null;
                });
            }
            QueueChecks.together(tasks);
            control.stopMeasurement = true;
            benchmark.closeQueue();
            demand("written", benchmark.written(), records);
            forces.demandHonest(threads.get(0).forces().getAsLong());
            demandBytes(records * Records.RECORD_BYTES - inMemoryBytes);
        } finally {
            benchmark.deleteFolder();
        }
    }

    /** {@code poll} has returned the checksum of every record. */
    void poll() throws CheckFailedException, IOException {
        QueuePollBenchmark benchmark = new QueuePollBenchmark();
        benchmark.subject = subject.name();
        benchmark.use(DataFolder.create(folder));
        try {
            benchmark.fill();
            demand("checksum", benchmark.poll(), checksum(0, QueuePollBenchmark.RECORDS));
            benchmark.closeQueue();
        } finally {
            benchmark.deleteFolder();
        }
    }

    /** {@code scan} has returned the checksum of every record. */
    void scan(int records) throws CheckFailedException, IOException {
        QueueScanBenchmark benchmark = new QueueScanBenchmark();
        benchmark.subject = subject.name();
        benchmark.records = records;
        benchmark.fill(DataFolder.create(folder));
        try {
            demand("checksum", benchmark.scan(), checksum(0, records));
        } finally {
            benchmark.close();
        }
    }

    /** Checks that calls of {@code read} beside calls of {@code write} return all that was written, and leave nothing. */
    void mixed(int each) throws CheckFailedException, IOException {
        int writers = QueueMixedBenchmark.WRITERS;
        QueueMixedBenchmark benchmark = new QueueMixedBenchmark();
        benchmark.subject = subject.name();
        benchmark.use(DataFolder.create(folder));
        try {
            benchmark.openQueue();
            long expected = 0;
            AtomicInteger working = new AtomicInteger(writers);
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                QueueMixedBenchmark.Producer producer = new QueueMixedBenchmark.Producer();
                producer.begin(benchmark, thread(i, writers));
                expected += checksum((long) i * QueueMixedBenchmark.Producer.APART, each);
                tasks.add(() -> writeAll(benchmark, producer, each, working));
            }
            Reads reads = new Reads(benchmark);
            tasks.add(reads);
            QueueChecks.together(tasks);
            benchmark.closeQueue();
            demand("read", reads.count, (long) writers * each);
            demand("checksum", reads.sum, expected);
        } finally {
            benchmark.deleteFolder();
        }
    }

    /** Calls {@code work} of several workers: the jobs that it read and those that are left are all that were ever added. */
    void jobs(int workers, int each) throws CheckFailedException, IOException {
        QueueJobsBenchmark benchmark = new QueueJobsBenchmark();
        benchmark.subject = subject.name();
        benchmark.use(DataFolder.create(folder));
        try {
            ForceWitness forces = ForceWitness.of(subject, folder);
            benchmark.fill();
            long added = checksum(0, QueueJobsBenchmark.JOBS);
            LongAdder seen = new LongAdder();
            List<QueueJobsBenchmark.Worker> states = new ArrayList<>();
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                QueueJobsBenchmark.Worker worker = new QueueJobsBenchmark.Worker();
                worker.begin(benchmark, thread(i, workers));
                states.add(worker);
                added += checksum((long) i * QueueJobsBenchmark.Worker.APART, each);
                tasks.add(() -> {
                    for (int n = 0; n < each; n++) {
                        seen.add(benchmark.work(worker, control));
                    }
                    return null;
                });
            }
            QueueChecks.together(tasks);
            control.stopMeasurement = true;
            benchmark.table().scan(record -> seen.add(Records.checksum(record)));
            benchmark.closeTable();
            demand("checksum", seen.sum(), added);
            forces.demandHonest(states.get(0).forces());
        } finally {
            benchmark.deleteFolder();
        }
    }

    /** The last writer to be done ends the iteration, after which a read of an empty queue returns. */
    private Void writeAll(
            QueueMixedBenchmark benchmark, QueueMixedBenchmark.Producer producer, int each, AtomicInteger working)
            throws IOException {
        try {
            for (int n = 0; n < each; n++) {
                benchmark.write(producer, control);
            }
        } finally {
            if (working.decrementAndGet() == 0) {
                control.stopMeasurement = true;
            }
        }
        return null;
    }

    private void demandBytes(long expected) throws CheckFailedException, IOException {
        if (subject.ceiling() && bytes() < expected) {
            throw new CheckFailedException("expected at least " + expected + " bytes in files, got " + bytes());
        }
    }

    private long bytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static void demand(String what, long actual, long expected) throws CheckFailedException {
        if (actual != expected) {
            throw new CheckFailedException(
                    "the benchmark's methods: expected " + what + "=" + expected + ", got " + actual);
        }
    }

    private static long checksum(long first, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Records.checksum(Records.at(first + i));
        }
        return sum;
    }

    private static ThreadParams thread(int index, int count) {
        return new ThreadParams(index, count, 0, 1, 0, 1, index, count, index, count);
    }

    /** The reading thread, until a read that began after the writers' end returns without a record. */
    private final class Reads implements Callable<Void> {

        private final QueueMixedBenchmark benchmark;
        private final QueueMixedBenchmark.Consumer consumer = new QueueMixedBenchmark.Consumer();
        private long count;
        private long sum;

        Reads(QueueMixedBenchmark benchmark) {
            this.benchmark = benchmark;
            consumer.begin(benchmark);
        }

        @Override
        public Void call() throws IOException {
            boolean over = false;
            byte @Nullable [] record = null;
            while (record != null || !over) {
                over = control.stopMeasurement; // before the read: the time may end between an empty poll and its look
                // at the time
                record = benchmark.read(consumer, control);
                if (record != null) {
                    count++;
                    sum += Records.checksum(record);
                }
            }
            return null;
        }
    }
}
