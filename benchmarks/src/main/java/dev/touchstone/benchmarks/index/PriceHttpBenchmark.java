package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.index.http.AnswerSource;
import dev.touchstone.benchmarks.index.http.ServedLoad;
import dev.touchstone.benchmarks.index.http.ServedSubject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Requests to the service in a process of its own, over loopback: an operation is an answer. Each thread serves its share of the connections, and each
 * connection has one request on its way.
 *
 * <p>The capsule's {@code http-load} does the same outside JMH and tells all percentiles.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 5)
@Measurement(iterations = 4, time = 5)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PriceHttpBenchmark {
    private static final int FEWEST = 4; // requests that differ

    @Param({"OURS", "OURS_V2", "CEILING_CONSTANT", "CEILING_CONSTANT_V2"})
    public ServedSubject subject;

    /** Number of connections of all threads together. */
    @Param({"1", "20"})
    public int connections;

    /** Searches in a request. */
    @Param({"1", "3000"})
    public int items;

    /** Gives server and load processors of their own. */
    @Param("true")
    public boolean pinned;

    private ServedLoad load;

    @Setup(Level.Trial)
    public void start() throws IOException {
        load = ServedLoad.start(subject, Math.max(FEWEST, PriceJsonBenchmark.REQUESTS / items), items, pinned);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        load.close();
    }

    /** Returns the address of the server; for the check. */
    InetSocketAddress address() {
        return load.address();
    }

    @Benchmark
    public long ask(Asking asking, Control control) throws IOException {
        return asking.ask(control);
    }

    /** A thread with its connections, and the times of its answers. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Asking {
        private static final int DIGITS = 3;

        private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
        private AnswerSource client;

        @Setup(Level.Trial)
        public void connect(PriceHttpBenchmark benchmark, ThreadParams thread, BenchmarkParams params)
                throws IOException {
            connect(benchmark, thread.getThreadIndex(), params.getThreads());
        }

        void connect(PriceHttpBenchmark benchmark, int thread, int threads) throws IOException {
            if (benchmark.connections % threads != 0) {
                throw new IllegalArgumentException(
                        "each thread needs as many: connections=" + benchmark.connections + " threads=" + threads);
            }
            client = benchmark.load.client(benchmark.connections / threads, thread, threads);
        }

        @Setup(Level.Iteration)
        public void begin() {
            nanos.reset();
        }

        @TearDown(Level.Iteration)
        public void end() throws IOException {
            client.drain();
        }

        @TearDown(Level.Trial)
        public void close() throws IOException {
            client.close();
        }

        /** The median time of an answer for each one, so that their sum by their number is the threads' mean median. */
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

        long ask(Control control) throws IOException {
            boolean isMeasured = control.startMeasurement && !control.stopMeasurement;
            long took = client.next();
            if (isMeasured) {
                nanos.recordValue(Math.min(took, nanos.getHighestTrackableValue()));
            }
            return took;
        }
    }
}
