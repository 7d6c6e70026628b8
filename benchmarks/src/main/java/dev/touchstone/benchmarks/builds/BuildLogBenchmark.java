package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildTopology;
import dev.touchstone.benchmarks.builds.peer.LogsUnderTest;
import dev.touchstone.benchmarks.builds.peer.ServiceLogs;
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
 * A build that prints {@value #MEGABYTES} MB as fast as it can, and a client that follows its log to the end. An operation is a megabyte that the client
 * has. The master's heap is {@value #MASTER_MEGABYTES} MB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 4, time = 5)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class BuildLogBenchmark {
    static final int MEGABYTES = 1000;

    private static final int MASTER_MEGABYTES = 64;

    @Param("OURS")
    public String subject;

    @Param("PROCESSES")
    public BuildTopology topology;

    private BuildSite site;
    private LogsUnderTest logs;

    /** Creates the site and opens the subject. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        site = BuildSite.of(ServiceLogs.script(MEGABYTES));
        logs = DeclaredSubject.of(subject)
                .open(
                        LogsUnderTest.class,
                        site.options(topology, 2, BuildMode.STREAMING).withMasterMegabytes(MASTER_MEGABYTES));
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        logs.close();
        site.close();
    }

    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public long stream() throws IOException {
        return logs.follow(MEGABYTES);
    }
}
