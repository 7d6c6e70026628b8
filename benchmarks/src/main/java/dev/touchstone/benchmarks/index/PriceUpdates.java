package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.IndexSearchAdapter;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Searches by several threads while the index is left alone, and while it is updated, in turns. Each search is timed by itself, from the strings of
 * its request to the value that it finds.
 */
final class PriceUpdates {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final double NANOS = 1e9;

    private final Plan plan;
    private final PriceData.Numbered prices;
    private final PriceIndex index;
    private final SearchRequest[] requests;
    private volatile boolean isOver;
    private long batches;

    /**
     * The plan of a measurement.
     *
     * @param readers threads that search
     * @param batch prices of an update
     * @param everyNanos from one update's begin to the next one's
     * @param seconds of a turn
     * @param rounds turns of each kind
     */
    record Plan(int readers, int batch, long everyNanos, double seconds, int rounds) {}

    /** Distributions of a batch's prices over the offerings. */
    enum Kind {
        NONE("no updates"),
        ONE("updates in one offering"),
        ALL("updates in all offerings");

        final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /**
     * The result of one kind of updates.
     *
     * @param title of the kind
     * @param searches times in nanoseconds
     * @param publishes times in nanoseconds from an update's call to its return
     * @param seconds how long it went on
     */
    record Measured(String title, Histogram searches, Histogram publishes, double seconds) {
        /** Returns this result with that of another turn added to it. */
        Measured and(Measured other) {
            searches.add(other.searches);
            publishes.add(other.publishes);
            return new Measured(title, searches, publishes, seconds + other.seconds);
        }
    }

    PriceUpdates(Plan plan, int most) {
        this.plan = plan;
        prices = PriceData.SEED.prices(most);
        index = PriceData.SEED.index(prices);
        requests =
                Requests.FULL.make(index, prices, PriceSearchBenchmark.REQUESTS).toArray(SearchRequest[]::new);
    }

    /** Measures all kinds in turns, after one of each that does not count. */
    List<Measured> measure() throws InterruptedException, ExecutionException {
        Map<Kind, Measured> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            turn(kind);
        }
        for (int round = 0; round < plan.rounds; round++) {
            for (Kind kind : Kind.values()) {
                all.merge(kind, turn(kind), Measured::and);
            }
        }
        return List.copyOf(all.values());
    }

    private static Histogram histogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    private Measured turn(Kind kind) throws InterruptedException, ExecutionException {
        Measured turn = new Measured(kind.title, histogram(), histogram(), 0);
        ExecutorService pool = Executors.newFixedThreadPool(plan.readers);
        isOver = false;
        long begin = System.nanoTime();
        try {
            List<Future<Histogram>> readers = new ArrayList<>();
            for (int i = 0; i < plan.readers; i++) {
                int first = i * requests.length / plan.readers;
                readers.add(pool.submit(() -> read(first)));
            }
            try {
                update(kind, turn.publishes, begin + (long) (plan.seconds * NANOS));
            } finally {
                isOver = true;
            }
            for (Future<Histogram> reader : readers) {
                turn.searches.add(reader.get());
            }
        } finally {
            pool.shutdownNow();
        }
        return new Measured(kind.title, turn.searches, turn.publishes, (System.nanoTime() - begin) / NANOS);
    }

    private Histogram read(int first) {
        Histogram nanos = histogram();
        IndexSearchAdapter search = new IndexSearchAdapter(index);
        int at = first;
        while (!isOver) {
            long begin = System.nanoTime();
            long answer = search.search(requests[at]);
            long took = System.nanoTime() - begin;
            if (answer == 0) {
                throw new IllegalStateException("found nothing: request=" + at + " " + requests[at]);
            }
            nanos.recordValue(Math.min(took, LONGEST_NANOS));
            at = at + 1 == requests.length ? 0 : at + 1;
        }
        return nanos;
    }

    private void update(Kind kind, Histogram publishes, long end) {
        for (long next = System.nanoTime(); next - end < 0; next += plan.everyNanos) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (kind == Kind.NONE) {
                continue;
            }
            PriceBatch batch = batch(kind == Kind.ONE);
            long begin = System.nanoTime();
            index.update(batch);
            publishes.recordValue(Math.min(System.nanoTime() - begin, LONGEST_NANOS));
        }
    }

    /** Prices with another value, those of one offering or ones that are evenly spread. */
    private PriceBatch batch(boolean isOne) {
        PriceBatch batch = new PriceBatch();
        int count = Math.min(plan.batch, prices.size());
        int step = isOne ? 1 : prices.size() / count;
        int first = (int) (batches * count % Math.max(1, prices.size() - (long) (count - 1) * step));
        batches++;
        for (int i = 0; i < count; i++) {
            Price price = prices.get(first + i * step);
            batch.put(new Price(
                    price.id(),
                    price.offering(),
                    price.conditions(),
                    price.value().add(BigDecimal.valueOf(batches % 100)),
                    price.currency(),
                    price.isDefault(),
                    null));
        }
        return batch;
    }
}
