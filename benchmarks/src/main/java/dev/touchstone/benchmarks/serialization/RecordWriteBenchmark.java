package dev.touchstone.benchmarks.serialization;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Sets random keys of a full map to the object that the seed writes. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class RecordWriteBenchmark extends MapBenchmark {

    @Param({"OURS", "COMPACT", "PORTABLE", "IDENTIFIED", "BYTE_ARRAY"})
    public SerializationType subject;

    private Object prepared;

    @Setup(Level.Trial)
    public void open() throws IOException {
        Object written = size.written();
        open(subject, key -> written);
        prepared = subject().prepare(written);
    }

    @Benchmark
    public void set(Caller caller) {
        Client client = caller.of(this);
        client.map()
                .set(
                        ThreadLocalRandom.current().nextInt(entries),
                        client.subject().value(prepared));
    }
}
