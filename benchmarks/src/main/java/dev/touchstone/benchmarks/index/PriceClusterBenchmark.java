package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.cluster.ClusterFlags;
import dev.touchstone.benchmarks.index.cluster.ClusterUnderTest;
import dev.touchstone.benchmarks.index.cluster.PriceCluster;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.serialization.cluster.HazelcastFlags;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Searches of the seed's prices in a Hazelcast cluster, and changes of them: an operation is the answer to a search, or {@value #CHANGES} changes.
 *
 * <p>{@value #REQUESTS} requests in turn, each for one price by the offering and all conditions.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(
        value = 1,
        jvmArgsPrepend = {
            HazelcastFlags.MODULES,
            HazelcastFlags.REF,
            HazelcastFlags.LANG,
            HazelcastFlags.SELECTORS,
            HazelcastFlags.MANAGEMENT,
            HazelcastFlags.SYSTEM
        },
        jvmArgsAppend = {ClusterFlags.MIN_HEAP, ClusterFlags.MAX_HEAP, ClusterFlags.CALLBACKS})
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PriceClusterBenchmark {
    /** Number of different requests. */
    static final int REQUESTS = 3000;

    /** Number of changes of an update. */
    static final int CHANGES = 1000;

    /** Number of searches of one invocation that asks for several. */
    static final int SEARCHES = 1000;

    @Param("OURS_SHARDED")
    public String subject;

    /** Number of members. The first one is in this JVM unless a client asks. */
    @Param("1")
    public int members;

    /** Parameter: {@code true} where a client in this JVM asks. */
    @Param("false")
    public boolean client;

    /** Parameter: {@code true} where the member or client that asks has a near cache, if the subject can have one. */
    @Param("false")
    public boolean nearCache;

    /** Number of searches on their way at a time, of those that have a request each. */
    @Param("20")
    public int inFlight;

    /** Number of searches in a request. */
    @Param("1")
    public int perRequest;

    /** Only the first ones, for tests. */
    @Param("2000000")
    public int most;

    private PriceData.Numbered prices;
    private PriceIndex schema;
    private ClusterUnderTest prepared;
    private PriceCluster cluster;
    private List<SearchRequest> requests;
    private long[] answers;
    private int next;

    /** Starts the cluster and puts the prices into it. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        prices = PriceData.SEED.prices(most);
        schema = PriceData.SEED.index(List.of());
        PriceIndex index = PriceData.SEED.index(prices);
        requests = Requests.FULL.make(index, prices, REQUESTS);
        answers = new long[perRequest > 1 ? perRequest : SEARCHES];
        DeclaredSubject declared = DeclaredSubject.of(subject);
        prepared = declared.open(ClusterUnderTest.class, index, nearCache);
        cluster = PriceCluster.start(declared, prepared, new PriceCluster.Layout(members, client, nearCache));
        prepared.load(prices);
        cluster.awaitBackups();
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        prepared.close();
        cluster.close();
    }

    /** Searches by the next request; returns the number of matches and the first of them. */
    @Benchmark
    public long find() throws IOException {
        return prepared.search(requests.get(advance(1)));
    }

    private int advance(int count) {
        int at = next;
        next = at + count == REQUESTS ? 0 : at + count;
        return at;
    }

    /** Searches by the next requests, several at a time. */
    @Benchmark
    @OperationsPerInvocation(SEARCHES)
    public long[] findMany() throws IOException {
        if (perRequest == 1) {
            prepared.searchEach(nextRequests(SEARCHES), inFlight, answers);
        } else {
            for (int done = 0; done < SEARCHES; done += perRequest) {
                prepared.searchAll(nextRequests(perRequest), answers);
            }
        }
        return answers;
    }

    private List<SearchRequest> nextRequests(int count) {
        int at = advance(count);
        return requests.subList(at, at + count);
    }

    /** Changes the values of prices in all offerings; returns the number of the update. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public long update(Changes changes) throws IOException {
        prepared.update(changes.prices);
        return changes.number;
    }

    /** Returns the requests, in the order of the calls; for the check. */
    List<SearchRequest> requests() {
        return requests;
    }

    /** Returns the subject; for the check. */
    ClusterUnderTest prepared() {
        return prepared;
    }

    /** Returns another object of the subject on a client of the cluster; for the check. */
    ClusterUnderTest observer() throws IOException {
        return cluster.observer(DeclaredSubject.of(subject), schema);
    }

    /** The changes of an update, made before it. */
    @State(Scope.Thread)
    public static class Changes {
        private static final int NUMBERS = 1000; // of updates, after which values come again
        private static final long STEP = 1_000_000; // more than there are prices

        List<Price> prices = List.of();
        private long number;

        /** Makes prices that are evenly spread, each with a value that the update gives it. */
        @Setup(Level.Invocation)
        public void make(PriceClusterBenchmark benchmark) {
            number++;
            prices = new ArrayList<>(CHANGES);
            int step = Math.max(1, benchmark.prices.size() / CHANGES);
            int first = (int) (number % step);
            for (int at = first; at < benchmark.prices.size() && prices.size() < CHANGES; at += step) {
                prices.add(changed(benchmark.prices.get(at)));
            }
        }

        private Price changed(Price price) {
            return new Price(
                    price.id(),
                    price.offering(),
                    price.conditions(),
                    price.value().add(BigDecimal.valueOf(number % NUMBERS * STEP)),
                    price.currency(),
                    price.isDefault(),
                    null);
        }
    }
}
