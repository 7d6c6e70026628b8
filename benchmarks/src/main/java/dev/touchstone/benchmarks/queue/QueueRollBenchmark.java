package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.queue.peer.RollingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * The pause of a writer when its queue goes over to another file: one thread appends records of 512 bytes durably to files that are
 * so small that there are many such rolls, and each append is timed.
 *
 * <p>The score is the mean append. Beside it stand, in units of the median append: {@code rollPause}, the median over all rolls of
 * the longest of the append that rolled and the two behind it; {@code worstRollPause}, the longest of them; and {@code midFilePause},
 * as {@code rollPause} but of appends midway between two rolls: what the device alone does to three appends. JMH adds such counters up
 * over iterations, so there must be one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 10)
@Measurement(iterations = 1, time = 1, timeUnit = TimeUnit.MINUTES)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Threads(1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class QueueRollBenchmark implements WritingBenchmark {

    @Param("OURS_SYNCED")
    public String subject;

    @Param("1048576")
    public int fileBytes;

    private RollingFiles rolling;

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
        run.open(this::open, writers);
    }

    @Override
    public Calls calls(ThreadParams thread, Control control) {
        Producer producer = new Producer();
        producer.begin(this, thread);
        return new Calls(() -> write(producer, control), rolling::forces);
    }

    @Override
    public long written() {
        return run.queue().written();
    }

    private RollingFiles open(Path folder) throws IOException {
        rolling = DeclaredSubject.of(subject).open(RollingFiles.class, folder, fileBytes);
        return rolling;
    }

    /** The writing thread. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Producer {

        private CappedQueue.Writer writer;
        private RollingFiles rolling;
        private RollTimes times;
        private long file;
        private long next;

        /** Creates the writer, and notes the current file, so that the next roll is seen. */
        @Setup(Level.Iteration)
        public void begin(QueueRollBenchmark benchmark, ThreadParams thread) {
            writer = benchmark.run.queue().newWriter();
            rolling = benchmark.rolling;
            times = new RollTimes();
            file = rolling.currentFile();
        }

        /** Rolls in the measured time. */
        public long rolls() {
            return times.rolls();
        }

        /** Returns the median pause of a roll, in median appends. */
        public double rollPause() {
            return times.rollPause();
        }

        /** Returns the longest pause of a roll, in median appends. */
        public double worstRollPause() {
            return times.worstRollPause();
        }

        /** Returns the median pause midway between two rolls, in median appends. */
        public double midFilePause() {
            return times.midFilePause();
        }

        void write(Control control) throws IOException {
            long start = System.nanoTime();
            writer.write(Records.at(next++), control);
            long nanos = System.nanoTime() - start;
            long now = rolling.currentFile();
            if (control.startMeasurement && !control.stopMeasurement) {
                times.add(nanos, now != file);
            }
            file = now;
        }
    }
}
