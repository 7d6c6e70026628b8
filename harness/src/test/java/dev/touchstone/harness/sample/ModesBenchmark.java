package dev.touchstone.harness.sample;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The same short call in each of JMH's modes. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 50, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class ModesBenchmark {
    /** Not looked at. */
    @Param("OURS")
    public String subject = "OURS";

    /** A call. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public void average() {
        Blackhole.consumeCPU(100);
    }

    /** A call. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public void sample() {
        Blackhole.consumeCPU(100);
    }

    /** A call, in two modes. */
    @Benchmark
    @BenchmarkMode({Mode.AverageTime, Mode.Throughput})
    public void both() {
        Blackhole.consumeCPU(100);
    }

    /** A call, 50 of them a batch. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 1, batchSize = 50)
    @Measurement(iterations = 2, batchSize = 50)
    public void batch() {
        Blackhole.consumeCPU(100);
    }

    /** A call of two threads of a group. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @Group("group")
    @GroupThreads(2)
    public void read() {
        Blackhole.consumeCPU(100);
    }

    /** A longer call of one thread of the group. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @Group("group")
    public void write() {
        Blackhole.consumeCPU(1_000);
    }
}
