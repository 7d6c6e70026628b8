package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.RequestBodies;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.JsonUnderTest;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.List;
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
 * Times from the bytes of a request to those of its answer: read JSON, search, write JSON. Without the network.
 *
 * <p>{@value #REQUESTS} searches in turn, each with all 8 conditions; with more than one in a request, in so many fewer requests.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PriceJsonBenchmark {
    /** Searches before the first one comes again, where each is a request. */
    static final int REQUESTS = 3000;

    private static final int FEWEST = 4; // requests that differ

    @Param("OURS")
    public String subject;

    /** Searches in a request. */
    @Param({"1", "3000"})
    public int items;

    /** Only the first prices, for tests. */
    @Param("2000000")
    public int most;

    private JsonUnderTest json;
    private byte[][] requests;
    private int next;

    /** Creates the index, the requests and the subject. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        PriceData.Numbered prices = PriceData.SEED.prices(most);
        PriceIndex index = PriceData.SEED.index(prices);
        int count = Math.max(FEWEST, REQUESTS / items);
        List<byte[]> bodies = RequestBodies.V1.bodies(Requests.FULL.make(index, prices, count * items), items);
        requests = bodies.toArray(byte[][]::new);
        json = DeclaredSubject.of(subject).open(JsonUnderTest.class, index, items > 1);
    }

    /** Answers the next request; returns its HTTP status, which must be 200. */
    @Benchmark
    public int answer(Allocation allocation) {
        int at = next;
        next = at + 1 == requests.length ? 0 : at + 1;
        int status = json.answer(requests[at]);
        if (status != 200) {
            throw new IllegalStateException("not answered: status=" + status);
        }
        return status;
    }

    /** Returns the bytes of the last answer; for the check. */
    byte[] bytes() {
        return json.bytes();
    }
}
