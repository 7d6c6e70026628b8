package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Generated prices of a tariff list, in which each field is left out by a stated share of the prices, and requests that name a value of each field.
 * The same numbers give the same list.
 */
final class TariffList {
    /** Number of prices that are measured. */
    static final int PRICES = 500_000;

    /** Number of fields. */
    static final int FIELDS = 6;

    private static final int OFFERINGS = 20;
    private static final long SEED = 4211;
    private static final List<String> NAMES = List.of("customer", "region", "segment", "channel", "variant", "term");
    private static final int[] DISTINCT = {400, 60, 8, 5, 120, 6};
    private static final int[] ABSENT_PERCENT = {70, 40, 50, 50, 20, 30};

    private static final List<List<String>> VALUES = IntStream.range(0, FIELDS)
            .mapToObj(field -> IntStream.range(0, DISTINCT[field])
                    .mapToObj(value -> NAMES.get(field) + "-" + value)
                    .toList())
            .toList();

    private TariffList() {}

    /** Returns the name of a field. The first field decides first which of two prices is more specific. */
    static String field(int number) {
        return NAMES.get(number);
    }

    /** Returns prices, in the order of their numbers. */
    static List<Tariff> prices(int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<List<@Nullable String>> known = new HashSet<>();
        List<Tariff> prices = new ArrayList<>();
        while (prices.size() < count) {
            @Nullable String[] conditions = new String[FIELDS + 1];
            String offering = "offering-" + random.nextInt(OFFERINGS);
            @Nullable String[] values = new String[FIELDS];
            for (int i = 0; i < FIELDS; i++) {
                values[i] = random.nextInt(100) < ABSENT_PERCENT[i] ? null : value(i, random);
                conditions[i] = values[i];
            }
            conditions[FIELDS] = offering;
            if (known.add(Arrays.asList(conditions))) {
                prices.add(new Tariff(prices.size(), offering, values));
            }
        }
        return prices;
    }

    /** Returns requests that differ, each of which some price meets. */
    static List<TariffRequest> requests(List<Tariff> prices, int count) {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        Set<List<String>> known = new HashSet<>();
        List<TariffRequest> requests = new ArrayList<>();
        while (requests.size() < count) {
            Tariff price = prices.get(random.nextInt(prices.size()));
            String[] values = new String[FIELDS];
            for (int i = 0; i < FIELDS; i++) {
                String value = price.values()[i];
                values[i] = fresh(value == null ? value(i, random) : value);
            }
            List<String> all = new ArrayList<>(List.of(values));
            all.add(price.offering());
            if (known.add(all)) {
                requests.add(new TariffRequest(fresh(price.offering()), values));
            }
        }
        return requests;
    }

    /** Returns an index of prices whose values are their numbers. */
    static PriceIndex index(List<Tariff> prices) {
        return PriceIndex.builder()
                .string(NAMES.toArray(String[]::new))
                .build(() -> prices.stream().map(Tariff::price).iterator());
    }

    /** Returns a value of a field; the first ones are more frequent. */
    private static String value(int field, SplittableRandom random) {
        double one = random.nextDouble();
        return VALUES.get(field).get((int) (one * one * DISTINCT[field]));
    }

    /** Returns another object than the one that was indexed, without the hash that it may know. */
    @SuppressWarnings("StringCopy")
    private static String fresh(String text) {
        return new String(text.toCharArray());
    }
}
