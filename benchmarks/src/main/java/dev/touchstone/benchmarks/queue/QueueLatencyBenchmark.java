package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.MeasuredCount;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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
 * Times that a thread waits until its record of 512 bytes is durable: percentiles of sampled calls, where {@link QueueWriteBenchmark}
 * counts them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MINUTES)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.MINUTES)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class QueueLatencyBenchmark implements WritingBenchmark {

    @Param("OURS_SYNCED")
    public String subject;

    private WriteRun run;

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
        run.closeQueue();
    }

    @Override
    @TearDown(Level.Trial)
    public void deleteFolder() throws IOException {
        run.close();
    }

    @Benchmark
    public void write(Producer producer, Control control) throws IOException {
        producer.write(control);
    }

    @Override
    public void use(DataFolder folder) {
        run = new WriteRun(folder);
    }

    @Override
    public void openQueue(int writers) throws IOException {
        run.open(QueueSubject.of(subject)::open, writers);
    }

    @Override
    public Calls calls(ThreadParams thread, Control control) {
        Producer producer = new Producer();
        producer.begin(this, thread);
        return new Calls(() -> write(producer, control), producer::forces);
    }

    @Override
    public long written() {
        return run.queue().written();
    }

    /** A writing thread. */
    @State(Scope.Thread)
    public static class Producer {

        private static final int APART = 131;

        private CappedQueue.Writer writer;
        private MeasuredCount.Observer observer;
        private MeasuredCount forces;
        private boolean reporting;
        private long next;

        /** Creates the thread's writer; each thread starts at another record. */
        @Setup(Level.Iteration)
        public void begin(QueueLatencyBenchmark benchmark, ThreadParams thread) {
            writer = benchmark.run.queue().newWriter();
            forces = benchmark.run.forces();
            observer = forces.observer();
            reporting = thread.getThreadIndex() == 0;
            next = (long) thread.getThreadIndex() * APART;
        }

        /** Times that the subject has waited for the device; for the check only. */
        long forces() {
            return reporting ? forces.total() : 0;
        }

        void write(Control control) throws IOException {
            observer.observe(control);
            writer.write(Records.at(next++), control);
        }
    }
}
