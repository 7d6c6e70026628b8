package dev.touchstone.benchmarks.serialization;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Control;

/** Gets random entries of a map, as objects. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class RecordReadBenchmark extends MapBenchmark {

    private static final int RECORDS = 1000;

    @Param({"OURS", "COMPACT", "PORTABLE", "IDENTIFIED", "BYTE_ARRAY"})
    public SerializationType subject;

    /** Of {@link #getAtRate}. */
    @Param("5000")
    public int ratePerSecond;

    @Setup(Level.Trial)
    public void open() throws IOException {
        List<Object> records = size.random(RECORDS);
        open(subject, key -> records.get(key % RECORDS));
    }

    @Benchmark
    public Object get(Caller caller) {
        return caller.of(this).subject().get(ThreadLocalRandom.current().nextInt(entries));
    }

    @Benchmark
    public Object getAtRate(Caller caller, PacedCalls calls, ResponseTimes times, Control control) {
        times.of(responses());
        long due = calls.await(responses(), control);
        Object got = get(caller);
        calls.done(due);
        return got;
    }
}
