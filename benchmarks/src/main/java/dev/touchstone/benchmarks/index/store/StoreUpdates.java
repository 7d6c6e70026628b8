package dev.touchstone.benchmarks.index.store;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreFailedException;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Durable changes of a store with one large offering, one batch after the other by one thread. Half of the changes replace conditions, which moves a
 * price to a new row; the others replace the value only.
 */
final class StoreUpdates {
    private static final String OFFERING = "all";
    private static final int REGIONS = 200;
    private static final int CUSTOMERS = 5000;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final double NANOS = 1e9;

    private final PriceStore store;
    private final int prices;
    private final SplittableRandom random = new SplittableRandom(7);

    /**
     * Durable batches.
     *
     * @param batch changes of each batch
     * @param nanos times from the call of an update to its return
     * @param seconds time of all batches together
     */
    record Measured(int batch, Histogram nanos, double seconds) {
        /** Returns the changes in a second. */
        double rate() {
            return nanos.getTotalCount() * batch / seconds;
        }
    }

    private StoreUpdates(PriceStore store, int prices) {
        this.store = store;
        this.prices = prices;
    }

    /**
     * Measures in a new folder below another one, which is deleted at the end.
     *
     * @param prices prices of the offering
     * @param batches numbers of changes of a batch, measured in this order
     * @param seconds time of each of them, and a quarter of it before that does not count
     */
    static List<Measured> measure(Path below, int prices, List<Integer> batches, double seconds)
            throws IOException, StoreFailedException {
        Path folder = Files.createTempDirectory(below, "touchstone-price-store");
        try {
            PriceIndex index = PriceIndex.builder()
                    .string("region", "customer")
                    .build(() -> IntStream.range(0, prices)
                            .mapToObj(i -> price(i, i, i))
                            .iterator());
            try (PriceStore store = PriceStore.create(folder.resolve("store"), index, StoreOptions.DEFAULT)) {
                StoreUpdates updates = new StoreUpdates(store, prices);
                List<Measured> all = new ArrayList<>();
                for (int batch : batches) {
                    updates.turn(batch, seconds / 4);
                    all.add(updates.turn(batch, seconds));
                }
                return all;
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static Price price(int number, int condition, int value) {
        Map<String, Object> conditions = Map.of(
                "region", "region-" + condition % REGIONS, "customer", "customer-" + condition / REGIONS % CUSTOMERS);
        return Price.of("price-" + number, OFFERING, conditions, BigDecimal.valueOf(value, 2));
    }

    private Measured turn(int batch, double seconds) throws StoreFailedException {
        Histogram nanos = new Histogram(MAX_NANOS, DIGITS);
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < seconds * NANOS) {
            PriceBatch next = new PriceBatch();
            for (int i = 0; i < batch; i++) {
                int number = random.nextInt(prices);
                int condition = random.nextBoolean() ? number : random.nextInt(Integer.MAX_VALUE);
                next.put(price(number, condition, random.nextInt(1_000_000)));
            }
            long called = System.nanoTime();
            store.update(next);
            now = System.nanoTime();
            nanos.recordValue(Math.min(now - called, MAX_NANOS));
        }
        return new Measured(batch, nanos, (now - begin) / NANOS);
    }
}
