package dev.touchstone.benchmarks.index.data;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.MixedPrices;
import dev.touchstone.index.sample.SeedPrices;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The prices that are searched. Each has its number as its value, and those of an offering stand together. */
public enum PriceData {
    /** The 487 200 prices of the seed: 7 string fields, no two prices alike. */
    SEED(0),
    /** 500 000 prices, 4 string fields, numbers and times, some missing, offerings of very different sizes. */
    MIXED(500_000),
    /** 2 000 000 prices with 20 fields. */
    LARGE(2_000_000);

    private static final int FEW_STRINGS = 4;

    private final int mixed;

    PriceData(int mixed) {
        this.mixed = mixed;
    }

    /** The prices, or the first {@code most} of them. */
    public Numbered prices(int most) {
        if (this == SEED) {
            SeedPrices seed = new SeedPrices();
            return new Numbered(seed::price, identity(Math.min(most, seed.size())));
        }
        MixedPrices prices =
                this == LARGE ? MixedPrices.large() : new MixedPrices(Math.min(most, mixed), 50, FEW_STRINGS, 1);
        return new Numbered(prices::price, grouped(prices, Math.min(most, prices.count())));
    }

    private static int[] identity(int count) {
        return IntStream.range(0, count).toArray();
    }

    /** The numbers of prices, those of an offering together, offerings in the order of their first price. */
    private static int[] grouped(MixedPrices prices, int count) {
        Map<String, Integer> offerings = new LinkedHashMap<>();
        int[] group = new int[count];
        for (int i = 0; i < count; i++) {
            group[i] = offerings.computeIfAbsent(prices.price(i).offering(), key -> offerings.size());
        }
        int[] next = new int[offerings.size() + 1];
        for (int one : group) {
            next[one + 1]++;
        }
        Arrays.parallelPrefix(next, Integer::sum);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[next[group[i]]++] = i;
        }
        return order;
    }

    /** An empty index with the fields of these prices, filled with some. */
    public PriceIndex index(Iterable<Price> prices) {
        return this == SEED
                ? new SeedPrices().declare(PriceIndex.builder()).build(prices)
                : mixedFields().declare(PriceIndex.builder()).build(prices);
    }

    private MixedPrices mixedFields() {
        return this == LARGE ? MixedPrices.large() : new MixedPrices(0, 1, FEW_STRINGS, 1);
    }

    /** Prices that are made when they are asked for. */
    public static final class Numbered implements Iterable<Price> {
        private final IntFunction<Price> source;
        private final int[] order;

        Numbered(IntFunction<Price> source, int[] order) {
            this.source = source;
            this.order = order;
        }

        /** Returns how many prices there are. */
        public int size() {
            return order.length;
        }

        /** Returns a new copy of a price, whose value is its number. */
        public Price get(int number) {
            Price made = source.apply(order[number]);
            return new Price(
                    made.id(),
                    made.offering(),
                    made.conditions(),
                    BigDecimal.valueOf(number),
                    made.currency(),
                    made.isDefault(),
                    null);
        }

        @Override
        public Iterator<Price> iterator() {
            return IntStream.range(0, order.length).mapToObj(this::get).iterator();
        }
    }
}
