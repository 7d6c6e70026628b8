package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildTopology;
import dev.touchstone.benchmarks.builds.peer.BuildsUnderTest;
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
 * The seed's workload: builds of a repository whose script prints 10 000 lines by as many commands, {@value #BUILDS} at a time as by as many callers, each
 * of a branch of its own. An operation is a build, from the request to its result and, where the log is streamed, to its last byte.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 6, time = 5)
@Measurement(iterations = 6, time = 5)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class BuildBenchmark {
    static final int BUILDS = 20;

    @Param("OURS")
    public String subject;

    @Param("DISCARD")
    public BuildMode mode;

    @Param("PROCESSES")
    public BuildTopology topology;

    @Param("2")
    public int executors;

    /** Selects builds of branches that the agent has built before; otherwise its workspaces are emptied before each measured call. */
    @Param("false")
    public boolean again;

    /**
     * Selects submitting all builds at once, so that one fetch serves them; otherwise each is submitted when another has ended, and fetches for
     * itself.
     */
    @Param("true")
    public boolean together;

    private BuildSite site;
    private BuildsUnderTest builds;

    /** Creates the site, opens the subject, and warms it up with a build of each branch. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        site = BuildSite.seed(BUILDS);
        builds = DeclaredSubject.of(subject).open(BuildsUnderTest.class, site.options(topology, executors, mode));
        builds.build(BUILDS, BUILDS);
    }

    /** Empties the agent's workspaces before a call, unless its branches are to be built {@link #again}. */
    @Setup(Level.Invocation)
    public void empty() throws IOException {
        if (!again) {
            builds.emptyWorkspaces();
        }
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        builds.close();
        site.close();
    }

    /** Builds {@value #BUILDS} branches, and returns when all have ended. */
    @Benchmark
    @OperationsPerInvocation(BUILDS)
    public void build() throws IOException {
        builds.build(BUILDS, together ? BUILDS : executors);
    }
}
