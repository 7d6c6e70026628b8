package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Removes records of 512 bytes from a queue that nobody writes to meanwhile, in one thread. With {@code -prof gc} it tells what a
 * removal allocates: the array that it returns takes 528 bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class QueuePollBenchmark {

    /** Enough that what a call does once for all of them does not show; a multiple of a bulk. */
    static final int RECORDS = 800 * Records.BULK_RECORDS;

    @Param("OURS_WRITTEN")
    public String subject;

    private DataFolder data;
    private QueueUnderTest queue;

    @Setup(Level.Trial)
    public void createFolder() throws IOException {
        use(DataFolder.create());
    }

    /** Opens the subject in an empty folder and writes the records; a durable subject gets them in bulk, to save time. */
    @Setup(Level.Iteration)
    public void fill() throws IOException {
        queue = QueueSubject.of(subject).open(data.fresh());
        if (QueueSubject.of(subject).durable()) {
            for (int i = 0; i < RECORDS; i += Records.BULK_RECORDS) {
                ((BulkWrites) queue).writeAll(Records.bulkAt(i));
            }
        } else {
            for (int i = 0; i < RECORDS; i++) {
                queue.write(Records.at(i));
            }
        }
    }

    /** Closes the queue, and checks that it is empty. */
    @TearDown(Level.Iteration)
    public void closeQueue() throws IOException {
        try (QueueUnderTest closed = queue) {
            if (closed.read() != null) {
                throw new IllegalStateException("expected records=" + RECORDS + ", got one more");
            }
        }
    }

    @TearDown(Level.Trial)
    public void deleteFolder() throws IOException {
        data.close();
    }

    /** Reads {@value #RECORDS} records one by one; returns the sum of their checksums. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long poll() throws IOException {
        long sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] record = queue.read();
            if (record == null) {
                throw new IllegalStateException("expected records=" + RECORDS + ", got " + i);
            }
            sum += Records.checksum(record);
        }
        return sum;
    }

    void use(DataFolder folder) {
        data = folder;
    }
}
