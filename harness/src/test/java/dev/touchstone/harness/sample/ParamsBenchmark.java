package dev.touchstone.harness.sample;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** A stranger's benchmark, which knows nothing of subjects: two modes, parameters, threads and flags of its own. */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.AverageTime})
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 1, time = 1)
@Threads(2)
@Fork(jvmArgs = {"-Xmx96m", "-Xss1m"})
public class ParamsBenchmark {
    /** A parameter. */
    @Param({"1", "2"})
    public int size = 1;

    /** A parameter whose values are no words. */
    @Param({"small one", "large"})
    public String text = "";

    /** A parameter with one value. */
    @Param("7")
    public int fixed = 7;

    /** Returns a sum. */
    @Benchmark
    public int sum() {
        return size + text.length() + fixed;
    }
}
