package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildTopology;
import dev.touchstone.benchmarks.builds.peer.NoopRequests;
import dev.touchstone.benchmarks.builds.peer.NoopsUnderTest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.infra.Control;

/**
 * The seed's mode noop: jobs that take the whole way from client to agent and back, and ask for nothing. Either {@value #JOBS} at once, as by as many callers
 * of the original, or one after the other.
 */
@State(Scope.Benchmark)
@Warmup(iterations = 4, time = 5)
@Measurement(iterations = 6, time = 5)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class BuildNoopBenchmark {
    static final int JOBS = 20_000;

    @Param("OURS")
    public String subject;

    @Param("PROCESSES")
    public BuildTopology topology;

    /** Selects durable jobs: each is on the device before it is accepted, and its result before it is reported. */
    @Param({"false", "true"})
    public boolean durable;

    /** Kind of the jobs, by what they differ in. */
    @Param("SAME")
    public NoopRequests requests;

    private BuildSite site;
    private NoopsUnderTest noops;

    /** Creates the site and opens the subject. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        site = BuildSite.of("true\n");
        noops = DeclaredSubject.of(subject)
                .open(NoopsUnderTest.class, site.options(topology, 2, BuildMode.DISCARD), durable, requests, JOBS);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        noops.close();
        site.close();
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    @OperationsPerInvocation(JOBS)
    public void pipelined() throws IOException {
        noops.pipelined(JOBS);
    }

    /** Sends a job and waits for its result. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void sequential(Asking asking, Control control) throws IOException {
        long start = System.nanoTime();
        noops.roundTrip();
        asking.took(System.nanoTime() - start, control);
    }

    /** Times of a thread's answers, as counters. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Asking {
        private static final int DIGITS = 3;

        private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);

        @Setup(Level.Iteration)
        public void begin() {
            nanos.reset();
        }

        /** The median time of an answer for each one, so that their sum by their number is the median. */
        public long p50Nanos() {
            return times(50);
        }

        /** Returns the 99th percentile of an answer's time for each answer, to be divided by their number like {@link #p50Nanos}. */
        public long p99Nanos() {
            return times(99);
        }

        private long times(double percent) {
            return nanos.getValueAtPercentile(percent) * nanos.getTotalCount();
        }

        void took(long time, Control control) {
            if (control.startMeasurement && !control.stopMeasurement) {
                nanos.recordValue(Math.min(time, nanos.getHighestTrackableValue()));
            }
        }
    }
}
