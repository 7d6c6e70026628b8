package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Appends records of 512 bytes to a log of three processes on this machine, from as many threads as JMH is told to use; each waits for its record. The
 * processes stay over the iterations, so that their code is compiled as far as this JVM's is; every iteration begins with no records.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MINUTES)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.MINUTES)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class QueueReplicatedBenchmark implements WritingBenchmark {

    @Param("OURS_REPLICATED_QUEUE")
    public String subject;

    private DataFolder data;
    private @Nullable QueueUnderTest log;
    private CappedQueue queue;

    @Setup(Level.Trial)
    public void createFolder() throws IOException {
        use(DataFolder.create());
    }

    @Setup(Level.Iteration)
    public void openQueue(BenchmarkParams params) throws IOException {
        openQueue(params.getThreads());
    }

    @Override
    @TearDown(Level.Iteration)
    public void closeQueue() throws IOException {
        queue.close();
    }

    @Override
    @TearDown(Level.Trial)
    public void deleteFolder() throws IOException {
        DataFolder folder = data;
        try (folder) {
            if (log != null) {
                log.close();
            }
        }
    }

    @Benchmark
    public void write(Producer producer, Control control) throws IOException {
        producer.write(control);
    }

    @Override
    public void use(DataFolder folder) {
        data = folder;
    }

    @Override
    public void openQueue(int writers) throws IOException {
        QueueUnderTest opened = log;
        if (opened == null) {
            opened = QueueSubject.of(subject).open(data.fresh());
            log = opened;
        }
        opened.clear();
        queue = new CappedQueue(new Kept(opened), writers, false);
    }

    @Override
    public Calls calls(ThreadParams thread, Control control) {
        Producer producer = new Producer();
        producer.begin(this, thread);
        return new Calls(() -> write(producer, control), () -> QueueUnderTest.UNKNOWN);
    }

    @Override
    public long written() {
        return queue.written();
    }

    /** A writing thread. */
    @State(Scope.Thread)
    public static class Producer {

        private static final int APART = 131;

        private CappedQueue.Writer writer;
        private long next;

        /** Creates the thread's writer; each thread starts at another record. */
        @Setup(Level.Iteration)
        public void begin(QueueReplicatedBenchmark benchmark, ThreadParams thread) {
            writer = benchmark.queue.newWriter();
            next = (long) thread.getThreadIndex() * APART;
        }

        void write(Control control) throws IOException {
            writer.write(Records.at(next++), control);
        }
    }

    /** The log, which an iteration's end does not close. */
    private record Kept(QueueUnderTest log) implements QueueUnderTest {
        @Override
        public void write(byte[] record) throws IOException {
            log.write(record);
        }

        @Override
        public byte @Nullable [] read() throws IOException {
            return log.read();
        }

        @Override
        public void scan(Consumer<byte[]> sink) throws IOException {
            log.scan(sink);
        }

        @Override
        public void clear() throws IOException {
            log.clear();
        }

        @Override
        public long forces() {
            return log.forces();
        }

        @Override
        public void close() {
            // the trial's end does
        }
    }
}
