package dev.touchstone.index.sample;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndexBuilder;
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
 * Generated prices with properties that {@link SeedPrices} lack: offerings of very different sizes, fields of all types, missing conditions, several
 * prices under the same conditions, default prices, and periods of validity. The same seed gives the same prices. Immutable and thread-safe.
 *
 * @param count number of prices, at least 0
 * @param offerings number of offerings, at least 1; the n-th one has about 1/n as many prices as the first one
 * @param strings number of string fields, at least 0, named {@code s0} and so on; they have 2, 4, 8 ... 256, 2 ... distinct values, of which the
 *     first ones are more frequent
 * @param seed seed of the random numbers
 */
public record MixedPrices(int count, int offerings, int strings, long seed) implements Iterable<Price> {
    private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");
    private static final int DAYS = 2000;
    private static final int MISSING = 16;
    private static final int DEFAULTS = 50;

    /**
     * Creates a data set.
     *
     * @throws IllegalArgumentException if a number is outside its range
     */
    public MixedPrices {
        if (count < 0 || offerings < 1 || strings < 0) {
            throw new IllegalArgumentException("count=" + count + " offerings=" + offerings + " strings=" + strings);
        }
    }

    /**
     * Returns two million prices with up to twenty conditions each.
     *
     * @return data set
     */
    public static MixedPrices large() {
        return new MixedPrices(2_000_000, 400, 16, 1);
    }

    /**
     * Declares the fields: the string fields, {@code term}, {@code amount}, {@code from} and {@code to}.
     *
     * @param builder builder of an index
     * @return the same builder
     */
    public PriceIndexBuilder declare(PriceIndexBuilder builder) {
        for (int i = 0; i < strings; i++) {
            builder.string("s" + i);
        }
        return builder.integer("term").decimal("amount", 2).dateTime("from", "to");
    }

    /**
     * Returns the number of distinct values of a string field.
     *
     * @param field number of the field, from 0
     * @return number of values, a power of 2 from 2 to 256
     */
    public static int distinct(int field) {
        return 2 << field % 8;
    }

    /**
     * Returns a value of a string field.
     *
     * @param field number of the field, from 0
     * @param number number of the value, from 0
     * @return value
     */
    public static String value(int field, int number) {
        return "value-" + field + "-" + number;
    }

    /**
     * Returns the key of an offering. Offerings with lower numbers have more prices.
     *
     * @param number number of the offering, from 0
     * @return key of the offering
     */
    public static String offering(int number) {
        return "offering-" + number;
    }

    /**
     * Returns the price with a number.
     *
     * @param number number of the price, from 0
     * @return a new object, equal at each call
     */
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
        // the inverse of the integral of 1/x gives the n-th offering 1/n of the prices of the first one
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
