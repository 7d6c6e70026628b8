package dev.touchstone.index.sample;

import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndexBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Prices that have what {@link SeedPrices} lack: offerings of very different sizes, fields of all types, missing conditions, several prices under the
 * same conditions, default ones, and periods of validity. The same seed gives the same prices. Immutable and thread-safe.
 *
 * @param count how many prices
 * @param offerings how many offerings they are spread over; the n-th has about 1/n of the first one's
 * @param strings how many string fields there are, {@code s0} first; the n-th has 2, 4, 8 ... 256, 2 ... distinct values, the smaller ones more often
 * @param seed of all that is random
 */
public record MixedPrices(int count, int offerings, int strings, long seed) implements Iterable<Price> {
    private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");
    private static final int DAYS = 2000;
    private static final int MISSING = 16;
    private static final int DEFAULTS = 50;

    public MixedPrices {
        if (count < 0 || offerings < 1 || strings < 0) {
            throw new IllegalArgumentException("count=" + count + " offerings=" + offerings + " strings=" + strings);
        }
    }

    /** Two million prices under twenty conditions each. */
    public static MixedPrices large() {
        return new MixedPrices(2_000_000, 400, 16, 1);
    }

    /** Declares the fields: the strings, {@code term} and {@code amount}, and {@code from} and {@code to}. */
    public PriceIndexBuilder declare(PriceIndexBuilder builder) {
        for (int i = 0; i < strings; i++) {
            builder.string("s" + i);
        }
        return builder.integer("term").decimal("amount", 2).dateTime("from", "to");
    }

    /** How many values the n-th string field has. */
    public static int distinct(int field) {
        return 2 << field % 8;
    }

    /** The value of a number from 0 of the n-th string field. */
    public static String value(int field, int number) {
        return "value-" + field + "-" + number;
    }

    /** The offering of a number from 0; lower ones have more prices. */
    public static String offering(int number) {
        return "offering-" + number;
    }

    /** The price of a number from 0. */
    public Price price(int number) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number);
        Map<String, Object> conditions = new HashMap<>();
        for (int i = 0; i < strings; i++) {
            if (random.nextInt(MISSING) > 0) {
                conditions.put("s" + i, value(i, skewed(random, distinct(i))));
            }
        }
        conditions.put("term", 1L + random.nextInt(60));
        conditions.put("amount", BigDecimal.valueOf(random.nextInt(1_000_000), 2));
        Instant from = BEGIN.plus(Duration.ofDays(random.nextInt(DAYS)));
        conditions.put("from", from);
        if (random.nextInt(MISSING) > 0) {
            conditions.put("to", from.plus(Duration.ofDays(1 + random.nextInt(DAYS))));
        }
        // 1/n of the first: the inverse of the integral of 1/x
        int offering = (int) Math.pow(offerings + 1.0, random.nextDouble()) - 1;
        return new Price(
                new UUID(random.nextLong(), number).toString(),
                offering(Math.min(offering, offerings - 1)),
                conditions,
                BigDecimal.valueOf(random.nextInt(10_000_000), 2),
                random.nextInt(10) == 0 ? "USD" : "EUR",
                random.nextInt(DEFAULTS) == 0,
                null);
    }

    private static int skewed(SplittableRandom random, int distinct) {
        double one = random.nextDouble();
        return (int) (one * one * distinct);
    }

    @Override
    public Iterator<Price> iterator() {
        return IntStream.range(0, count).mapToObj(this::price).iterator();
    }
}
