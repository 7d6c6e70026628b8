package dev.touchstone.index.sample;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndexBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * The 487,200 prices with which the index was first measured: one for each combination of 50 offerings and five characteristics. The value of a price
 * is its number, its spec is {@code MRC} for even numbers and {@code NRC} for odd ones, and its group is one of five. Immutable and thread-safe;
 * prices are made when they are asked for. The ids, which were random in the first measurement, are derived from the number.
 *
 * <p>The offering and the five characteristics identify one price, the spec follows from the router, and the group narrows nothing further. {@link
 * MixedPrices} have the properties that these prices lack.
 */
public final class SeedPrices implements Iterable<Price> {
    /** Name of the field whose value is {@code MRC} or {@code NRC}. */
    public static final String SPEC = "spec";

    /** Name of the field whose value is {@code group1} to {@code group5}. */
    public static final String GROUP = "group";

    private static final String OFFERING = "offering";

    private final Map<String, List<String>> dimensions = new HashMap<>();
    private final List<String> names = new ArrayList<>(); // names of the characteristics; the last one varies fastest
    private final byte[] groups; // '1' to '5', for each price

    /**
     * Creates the data set from its resources.
     *
     * @throws UncheckedIOException if a resource is missing
     */
    public SeedPrices() {
        try (InputStream text = resource("dimensions.txt");
                InputStream digits = new GZIPInputStream(resource("groups.txt.gz"))) {
            for (String line : new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                List<String> parts = List.of(line.split("\t", -1));
                if (parts.size() > 1) {
                    dimensions.put(parts.get(0), parts.subList(1, parts.size()));
                    names.add(parts.get(0));
                }
            }
            names.remove(OFFERING);
            groups = digits.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream resource(String name) throws IOException {
        InputStream found = SeedPrices.class.getResourceAsStream(name);
        if (found == null) {
            throw new IOException("resource is missing: name=" + name);
        }
        return found;
    }

    /**
     * Declares the fields: the characteristics, the group and the spec.
     *
     * @param builder builder of an index
     * @return the same builder
     */
    public PriceIndexBuilder declare(PriceIndexBuilder builder) {
        return builder.string(names.toArray(String[]::new)).string(GROUP, SPEC);
    }

    /**
     * Returns the names of the five characteristics; the last one varies fastest.
     *
     * @return unmodifiable list
     */
    public List<String> characteristics() {
        return List.copyOf(names);
    }

    /**
     * Returns all values of the offering or of a characteristic.
     *
     * @param name {@code "offering"} or the name of a characteristic
     * @return unmodifiable list
     * @throws NoSuchElementException if there is no such characteristic
     */
    public List<String> values(String name) {
        List<String> found = dimensions.get(name);
        if (found == null) {
            throw new NoSuchElementException("no such dimension: name=" + name);
        }
        return found;
    }

    /**
     * Returns the number of prices.
     *
     * @return 487,200
     */
    public int size() {
        return groups.length;
    }

    /**
     * Returns the price with a number.
     *
     * @param number number of the price, from 0 to {@link #size} - 1
     * @return a new object, equal at each call
     */
    public Price price(int number) {
        Map<String, Object> conditions = new HashMap<>();
        int left = number;
        for (int i = names.size() - 1; i >= 0; i--) {
            List<String> values = values(names.get(i));
            conditions.put(names.get(i), values.get(left % values.size()));
            left /= values.size();
        }
        conditions.put(GROUP, "group" + (char) groups[number]);
        conditions.put(SPEC, number % 2 == 0 ? "MRC" : "NRC");
        return Price.of(id(number), values(OFFERING).get(left), conditions, BigDecimal.valueOf(number));
    }

    /** Returns a UUID of version 4 and variant 2 that is derived from a number. */
    private static String id(int number) {
        long high = (number + 1L) * 0x9E3779B97F4A7C15L;
        long low = (high ^ (high >>> 29)) * 0xBF58476D1CE4E5B9L;
        return new UUID((high & ~0xF000L) | 0x4000L, (low & ~(3L << 62)) | (1L << 63)).toString();
    }

    @Override
    public Iterator<Price> iterator() {
        return IntStream.range(0, size()).mapToObj(this::price).iterator();
    }
}
