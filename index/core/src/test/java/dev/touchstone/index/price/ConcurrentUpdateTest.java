package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One writer and eight readers: each answer is that of the version that it names. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrentUpdateTest {
    private static final int READERS = 8;
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());
    private static final int FIELDS = 6;
    private static final int SEARCHES = 300; // of each reader, at least

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final RandomPrices random = new RandomPrices(seed, FIELDS, 5, 4);
    private final PriceIndex index = random.builder().build(List.of());
    private final PriceModel model = new PriceModel();
    private final Map<Long, List<Price>> versions = new ConcurrentHashMap<>(Map.of(1L, List.of()));
    private final AtomicLongArray seen = new AtomicLongArray(READERS); // by reader, the version that it saw last
    private volatile boolean isOver;

    @Test
    void search_whileUpdated_answersAsTheModelOfItsVersion() throws InterruptedException, ExecutionException {
        run(() -> index.stats().version() < 400);
    }

    @Test
    @Tag("slow")
    void search_whileUpdatedForAMinute_answersAsTheModelOfItsVersion() throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        run(() -> System.nanoTime() - end < 0);
    }

    private void run(BooleanSupplier goesOn) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int number = i;
                readers.add(pool.submit(() -> read(number)));
            }
            try {
                update(goesOn);
            } finally {
                isOver = true;
            }
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isGreaterThanOrEqualTo(SEARCHES);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** The model of a version is there before any reader can see the version, and until each has seen a later one. */
    private void update(BooleanSupplier goesOn) {
        for (long version = 2; !isOver && goesOn.getAsBoolean(); version++) {
            PriceModel.Update update = model.random(random, 30);
            model.apply(update);
            versions.put(version, model.all());
            assertThat(index.update(update.batch())).isEqualTo(version);
            long oldest = LongStream.range(0, READERS)
                    .map(reader -> seen.get((int) reader))
                    .min()
                    .orElse(0);
            versions.keySet().removeIf(one -> one < oldest);
        }
    }

    private int read(int number) {
        try {
            return search(number);
        } finally {
            isOver = true; // also when an answer was wrong
        }
    }

    private int search(int number) {
        RandomPrices queries = new RandomPrices(seed + number + 1, FIELDS, 5, 4);
        int searches = 0;
        long last = 0;
        for (; !isOver || searches < SEARCHES; searches++) {
            String offering = searches % 3 == 0 ? null : queries.offering();
            List<Condition> conditions = queries.conditions(3);
            PriceQuery query = Answers.query(index, offering, conditions);
            MatchPolicy policy = POLICIES.get(queries.random.nextInt(POLICIES.size()));
            SearchResult result = index.search(query.policy(policy));
            assertThat(result.version()).as("seed=%d", seed).isGreaterThanOrEqualTo(last);
            last = result.version();
            seen.set(number, last);
            List<Price> all = versions.getOrDefault(last, List.of());
            List<Price> expected = Answers.matching(all, offering, conditions);
            Answers.assertAnswer(result, query, expected, last, "seed=" + seed + " reader=" + number + " " + query);
        }
        return searches;
    }
}
