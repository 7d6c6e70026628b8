package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.sql.SQLException;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Searches for prices from the strings of a request to the number of matches and the value of the first one.
 *
 * <p>{@value #REQUESTS} requests in turn, which no subject has seen the objects of. All subjects answer all that is asked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PriceSearchBenchmark {
    /** Number of different requests, the same as in the seed's benchmark. */
    static final int REQUESTS = 3000;

    @Param("OURS")
    public String subject;

    @Param
    public PriceData data;

    @Param
    public Requests query;

    /** Only the first ones, for tests. */
    @Param("2000000")
    public int most;

    private SearchUnderTest search;
    private SearchRequest[] requests;
    private int next;

    /** Creates the prices, the requests and the subject. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        PriceData.Numbered prices = data.prices(most);
        PriceIndex index = data.index(prices);
        requests = query.make(index, prices, REQUESTS).toArray(SearchRequest[]::new);
        search = DeclaredSubject.of(subject).open(SearchUnderTest.class, index, prices);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, SQLException {
        search.close();
    }

    /** Searches by the next request; returns the number of matches and the first of them. */
    @Benchmark
    public long find(Allocation allocation) throws IOException, SQLException {
        int at = next;
        next = at + 1 == REQUESTS ? 0 : at + 1;
        return search.search(requests[at]);
    }

    /** Returns the requests, in the order of the calls; for the check. */
    SearchRequest[] requests() {
        return requests;
    }
}
