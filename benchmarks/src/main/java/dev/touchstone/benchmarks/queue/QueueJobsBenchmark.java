package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.MeasuredCount;
import dev.touchstone.benchmarks.queue.peer.JobTable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Works off a table of {@value #JOBS} jobs of 512 bytes, from as many workers as JMH is told to use.
 *
 * <p><b>One operation</b> is one job of a worker that always has one on lease: it reads the job's record, acknowledges the job, adds
 * another, and leases the oldest free job for its next operation. So an operation holds one lease, one acknowledgement and one
 * addition, each job passes through all three, and the table keeps its size.
 *
 * <p><b>Durability.</b> When an operation returns, the acknowledgement and the addition have what the subject promises; {@link JobTable}
 * says what a lease and an acknowledgement without an addition survive. No subject has to wait for the device twice in an operation.
 *
 * <p>Every iteration starts with a new table in an empty folder, and fails where the table does not hold {@value #JOBS} jobs at its end.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MINUTES)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.MINUTES)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class QueueJobsBenchmark {

    /** Jobs in the table at any time, leased ones included; far more than workers. */
    static final int JOBS = 1_000;

    @Param("OURS_SYNCED")
    public String subject;

    private DataFolder data;
    private JobTable table;
    private MeasuredCount forces;

    @Setup(Level.Trial)
    public void createFolder() throws IOException {
        use(DataFolder.create());
    }

    /** Opens a new table and adds its jobs. */
    @Setup(Level.Iteration)
    public void fill() throws IOException {
        table = (JobTable) QueueSubject.of(subject).open(data.fresh());
        for (int i = 0; i < JOBS; i++) {
            table.write(Records.at(i));
        }
        forces = new MeasuredCount(table::forces);
    }

    /** Closes the table after a count of its jobs. */
    @TearDown(Level.Iteration)
    public void closeTable() throws IOException {
        forces.end();
        try (JobTable closed = table) {
            long jobs = closed.remaining();
            if (jobs != JOBS) {
                throw new IllegalStateException("expected jobs=" + JOBS + " in the table, got " + jobs);
            }
        }
    }

    @TearDown(Level.Trial)
    public void deleteFolder() throws IOException {
        data.close();
    }

    @Benchmark
    public long work(Worker worker, Control control) throws IOException {
        return worker.work(control);
    }

    void use(DataFolder folder) {
        data = folder;
    }

    JobTable table() {
        return table;
    }

    /** A worker that has one job on lease; the first worker also reports how often the subject waited for the device. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Worker {

        static final int APART = 131;

        private JobTable table;
        private JobTable.Job job;
        private MeasuredCount.Observer observer;
        private MeasuredCount forces;
        private boolean reporting;
        private long next;

        /** Leases the first job of the iteration. */
        @Setup(Level.Iteration)
        public void begin(QueueJobsBenchmark benchmark, ThreadParams thread) throws IOException {
            table = benchmark.table;
            forces = benchmark.forces;
            observer = forces.observer();
            reporting = thread.getThreadIndex() == 0;
            next = (long) thread.getThreadIndex() * APART;
            job = present(table.lease());
        }

        /** Returns the times that the subject waited for the device; JMH adds up the threads, of which one reports. */
        public long forces() {
            return reporting ? forces.total() : 0;
        }

        long work(Control control) throws IOException {
            observer.observe(control);
            long sum = Records.checksum(job.payload());
            job = present(table.exchange(job, Records.at(next++)));
            return sum;
        }

        private static JobTable.Job present(JobTable.@Nullable Job leased) {
            if (leased == null) {
                throw new IllegalStateException("expected a free job in a table of jobs=" + JOBS + ", got none");
            }
            return leased;
        }
    }
}
