package dev.touchstone.index.server.store;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * Updates that tell which of them an index has. Thread {@code t} sets prices of its offering to its next number {@code n} with each update, so a version is
 * 1 more than the sum of the numbers of all threads.
 */
final class NumberedUpdates {
    static final int MAX_THREADS = 9;

    private NumberedUpdates() {}

    /** Returns the index without prices that the updates are for. */
    static PriceIndex empty() {
        return PriceIndex.builder().integer("n").string("text").build(List.of());
    }

    /** Returns the update of a thread that sets its number. */
    static PriceBatch batch(int thread, long n) {
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 3; i++) {
            batch.put(Price.of("p" + i, "o" + thread, Map.of("n", n, "text", "text " + n), BigDecimal.valueOf(n)));
        }
        Price odd = Price.of("odd", "o" + thread, Map.of("n", n), BigDecimal.valueOf(n));
        return n % 2 == 1 ? batch.put(odd) : batch.remove("o" + thread, "odd");
    }

    /** Returns the number of a thread in an index. */
    static long number(PriceIndex index, int thread) {
        List<Price> prices = index.prices("o" + thread);
        return prices.isEmpty() ? 0 : prices.get(0).value().longValueExact();
    }

    /** Checks that an answer about all prices is one of the model at its version; returns a description if it is not. */
    static String wrong(SearchResult result) {
        long sum = 0;
        int prices = 0;
        if (result instanceof SearchResult.Found found) {
            long[] numbers = new long[MAX_THREADS];
            for (int i = 0; i < found.size(); i++) {
                Price price = found.price(i);
                int thread = price.offering().charAt(1) - '0';
                long n = price.value().longValueExact();
                if (numbers[thread] != 0 && numbers[thread] != n) {
                    return "half of an update: " + price + " and " + numbers[thread];
                }
                numbers[thread] = n;
                prices++;
            }
            for (long n : numbers) {
                sum += n;
                prices -= n == 0 ? 0 : n % 2 == 1 ? 4 : 3;
            }
        }
        return sum + 1 == result.version() && prices == 0
                ? ""
                : "sum of updates=" + sum + " version=" + result.version() + " surplus prices=" + prices;
    }

    /** Returns the answer about all prices. */
    static SearchResult all(PriceIndex index, PriceQuery query) {
        return index.search(query.clear().policy(MatchPolicy.ALL).limit(100));
    }
}
