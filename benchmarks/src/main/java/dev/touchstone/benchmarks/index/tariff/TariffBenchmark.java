package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import java.io.IOException;
import java.sql.SQLException;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Searches for the most specific price of a tariff list, from the strings of a request to the number of the price.
 *
 * <p>{@value #REQUESTS} requests that differ, in turn. Each names the offering and a value of every field.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class TariffBenchmark {
    static final int REQUESTS = 3000;

    @Param("OURS")
    public String subject;

    /** Number of prices; fewer in tests. */
    @Param("" + TariffList.PRICES)
    public int prices;

    private TariffSearch search;
    private TariffRequest[] requests;
    private int next;

    /** Gives the prices to the subject. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        List<Tariff> all = TariffList.prices(prices);
        requests = TariffList.requests(all, REQUESTS).toArray(TariffRequest[]::new);
        search = DeclaredSubject.of(subject).open(TariffSearch.class, all);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, SQLException {
        search.close();
    }

    /** Finds the most specific price of the next request, and returns its number. */
    @Benchmark
    public int find(Allocation allocation) throws IOException, SQLException {
        int at = next;
        next = at + 1 == REQUESTS ? 0 : at + 1;
        return search.search(requests[at]);
    }
}
