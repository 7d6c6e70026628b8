package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.records.Alphabet;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * A benchmark that encodes and decodes records outside of any cluster, and that reads or compares one string field of a record's bytes.
 *
 * <p>Each call takes the next of {@value #RECORDS} random records, whose strings are of one {@link Alphabet}, and writes into an array of its
 * own. Hazelcast's serializations and ours write the value of a map, envelope included; our bytes equal those of {@code COMPACT}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class CodecBenchmark {

    /** A power of two. */
    static final int RECORDS = 256;

    @Param("OURS")
    public String subject;

    @Param
    public RecordSize size;

    /** The alphabet of all strings; a workload of the matrix that names none measures ASCII. */
    @Param("ASCII")
    public Alphabet alphabet;

    private List<Object> records;
    private String wanted;
    private CodecUnderTest codec;
    private int last;

    /** Creates the records and the codec. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        records = size.random(RECORDS, alphabet);
        wanted = RecordSize.string(records.get(RECORDS / 2));
        codec = DeclaredSubject.of(subject).open(CodecUnderTest.class, records, wanted);
    }

    /** Encodes the next record, and counts its bytes. */
    @Benchmark
    public byte[] encode(Allocation allocation, Encoded encoded) throws IOException {
        byte[] bytes = codec.encode(next());
        encoded.recordBytes += bytes.length;
        return bytes;
    }

    @Benchmark
    public Object decode(Allocation allocation) throws IOException {
        return codec.decode(next());
    }

    @Benchmark
    public String readField(Allocation allocation) throws IOException {
        return codec.readString(next());
    }

    @Benchmark
    public boolean fieldEquals(Allocation allocation) throws IOException {
        return codec.stringEquals(next());
    }

    /** Returns the records, which are used in turn from the second on; for the checks. */
    final List<Object> records() {
        return records;
    }

    /** Returns the string that fields are compared with. */
    final String wanted() {
        return wanted;
    }

    final CodecUnderTest codec() {
        return codec;
    }

    private int next() {
        last = (last + 1) & (RECORDS - 1);
        return last;
    }

    /** Bytes of all encoded records, as a counter. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Encoded {

        /** Bytes of the records that were encoded. */
        public long recordBytes;

        @Setup(Level.Iteration)
        public void begin() {
            recordBytes = 0;
        }
    }
}
