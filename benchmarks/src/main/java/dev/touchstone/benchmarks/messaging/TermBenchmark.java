package dev.touchstone.benchmarks.messaging;

import static dev.touchstone.benchmarks.messaging.WireTerms.WIRE;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.messaging.peer.TermUnderTest;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Terms to bytes in Erlang's external term format, and bytes to terms.
 *
 * <p>All subjects decode the same bytes, which none of them has written, into terms that keep nothing of the buffer. They encode equal
 * terms, each in its own form, into a buffer that is used again.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class TermBenchmark {

    @Param("OURS")
    public String subject;

    @Param
    public SampleTerm term;

    private TermUnderTest codec;

    @Setup(Level.Trial)
    public void make() throws IOException {
        codec = DeclaredSubject.of(subject).open(TermUnderTest.class, term, term.build(WIRE));
    }

    @Benchmark
    public int encode(Allocation allocation) {
        return codec.encode();
    }

    @Benchmark
    public Object decode(Allocation allocation) throws IOException {
        return codec.decode();
    }

    /** The subject, for checks. */
    TermUnderTest codec() {
        return codec;
    }
}
