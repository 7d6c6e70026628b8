package dev.touchstone.harness.sample;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A mistake on purpose: what OURS computes goes nowhere, so that the compiler leaves it out, but for the fields that it reads. The peer's goes to a
 * field.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 1, time = 50, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 50, timeUnit = TimeUnit.MILLISECONDS)
public class DeadBenchmark {
    private static final int ROOTS = 10;

    /** Whose result is used. */
    @Param({"OURS", "PEER"})
    public String subject = "OURS";

    /** What is left of it. */
    public double result;

    private double x = 2;
    private boolean used;
    private boolean added;
    private boolean printed;
    private boolean sent;
    private boolean stored;

    /** Sets up. */
    @Setup
    public void setUp() {
        used = subject.equals("PEER");
    }

    /** Computes. */
    @Benchmark
    @OperationsPerInvocation(ROOTS)
    public void dead() {
        double root = x;
        for (int i = 0; i < ROOTS; i++) {
            root = Math.sqrt(root + i);
        }
        if (used || added || printed || sent || stored) {
            result = root;
            x += 1e-9;
        }
    }
}
