package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.DeclaredSubject;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A benchmark that sets random keys of a full map to the object that the seed writes. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class RecordWriteBenchmark extends MapBenchmark {

    @Param("OURS")
    public String subject;

    /** Parameter: {@code true} where the writing client or member has a near cache of the map. */
    @Param("false")
    public boolean nearCache;

    private Object prepared;

    /** Fills the map, and prepares the record that is written. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        Object written = size.written();
        open(DeclaredSubject.of(subject), nearCache, key -> written);
        prepared = subject().prepare(written);
    }

    /** Replaces a random entry. */
    @Benchmark
    public void set(Caller caller) {
        caller.of(this).subject().set(ThreadLocalRandom.current().nextInt(entries), prepared);
    }
}
