package dev.touchstone.benchmarks.queue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Three threads append records of 512 bytes while a fourth removes them.
 *
 * <p><b>What is an operation.</b> A read ends when it has a record, however often it must poll for it, so the score counts records:
 * those written plus those read. Only the read that the end of the iteration interrupts may end without one. {@code reads} and
 * {@code emptyPolls} count the polls of the measured time that gave a record and that gave none.
 *
 * <p><b>The cap.</b> {@link CappedQueue} makes writers that have filled it wait until the reader has removed everything; a reader
 * that keeps up is never waited for. After an iteration the records that are left are counted, and one that has lost or doubled any
 * fails.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MINUTES)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.MINUTES)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class QueueMixedBenchmark {

    static final int WRITERS = 3;

    @Param("OURS_BATCHED")
    public String subject;

    private DataFolder data;
    private CappedQueue queue;

    @Setup(Level.Trial)
    public void createFolder() throws IOException {
        use(DataFolder.create());
    }

    @Setup(Level.Iteration)
    public void openQueue() throws IOException {
        queue = new CappedQueue(QueueSubject.of(subject).open(data.fresh()), WRITERS, true);
    }

    @TearDown(Level.Iteration)
    public void closeQueue() throws IOException {
        queue.close();
    }

    @TearDown(Level.Trial)
    public void deleteFolder() throws IOException {
        data.close();
    }

    @Benchmark
    @Group("mixed")
    @GroupThreads(WRITERS)
    public void write(Producer producer, Control control) throws IOException {
        producer.write(control);
    }

    @Benchmark
    @Group("mixed")
    @GroupThreads(1)
    public byte @Nullable [] read(Consumer consumer, Control control) throws IOException {
        return consumer.read(control);
    }

    void use(DataFolder folder) {
        data = folder;
    }

    /** A writing thread. */
    @State(Scope.Thread)
    public static class Producer {

        static final int APART = 131;

        private CappedQueue.Writer writer;
        private long next;

        @Setup(Level.Iteration)
        public void begin(QueueMixedBenchmark benchmark, ThreadParams thread) {
            writer = benchmark.queue.newWriter();
            next = (long) thread.getThreadIndex() * APART;
        }

        void write(Control control) throws IOException {
            writer.write(Records.at(next++), control);
        }
    }

    /** The reading thread. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Consumer {

        /** Polls that gave a record. */
        public long reads;

        /** Polls that found the queue empty. */
        public long emptyPolls;

        private CappedQueue queue;

        @Setup(Level.Iteration)
        public void begin(QueueMixedBenchmark benchmark) {
            queue = benchmark.queue;
        }

        byte @Nullable [] read(Control control) throws IOException {
            byte[] record = queue.read();
            long empty = 0;
            while (record == null && !control.stopMeasurement) {
                empty++;
                Thread.onSpinWait();
                record = queue.read();
            }
            if (control.startMeasurement && !control.stopMeasurement) {
                reads += record == null ? 0 : 1;
                emptyPolls += empty;
            }
            return record;
        }
    }
}
