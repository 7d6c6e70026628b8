package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.DeclaredSubject;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A benchmark that gets random entries of a map as objects. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class RecordReadBenchmark extends MapBenchmark {

    private static final int RECORDS = 1000;

    @Param("OURS")
    public String subject;

    /** Parameter: {@code true} where the reading client or member has a near cache of the map. */
    @Param("false")
    public boolean nearCache;

    @Setup(Level.Trial)
    public void open() throws IOException {
        List<Object> records = size.random(RECORDS);
        open(DeclaredSubject.of(subject), nearCache, key -> records.get(key % RECORDS));
    }

    @Benchmark
    public Object get(Caller caller) {
        return caller.of(this).subject().get(ThreadLocalRandom.current().nextInt(entries));
    }
}
