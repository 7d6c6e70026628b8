package dev.touchstone.index.sample;

import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndexBuilder;
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
 * The 487 200 prices that the index was first measured with, exactly: one for each combination of 50 offerings and five characteristics, of which
 * the value is its number, the spec {@code MRC} for even numbers and {@code NRC} for odd ones, and the group one of five. Immutable and
 * thread-safe; prices are made as they are asked for. Ids, which were random, are made from the number.
 *
 * <p>The offering and the five characteristics name one price already, the spec follows from the router, and the group is no more than a check: what this
 * data cannot show, {@link MixedPrices} can.
 */
public final class SeedPrices implements Iterable<Price> {
    /** The field whose value is {@code MRC} or {@code NRC}. */
    public static final String SPEC = "spec";

    /** The field whose value is {@code group1} to {@code group5}. */
    public static final String GROUP = "group";

    private static final String OFFERING = "offering";

    private final Map<String, List<String>> dimensions = new HashMap<>();
    private final List<String> names = new ArrayList<>(); // of the characteristics, the last one innermost
    private final byte[] groups; // '1' to '5' for each price

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

    /** Declares the fields: the characteristics, the group and the spec. */
    public PriceIndexBuilder declare(PriceIndexBuilder builder) {
        return builder.string(names.toArray(String[]::new)).string(GROUP, SPEC);
    }

    /** Names of the five characteristics, the outermost first. */
    public List<String> characteristics() {
        return List.copyOf(names);
    }

    /** All values of the offering ({@code "offering"}) or of a characteristic. */
    public List<String> values(String name) {
        List<String> found = dimensions.get(name);
        if (found == null) {
            throw new NoSuchElementException("no such dimension: name=" + name);
        }
        return found;
    }

    public int size() {
        return groups.length;
    }

    /** The price of a number from 0. */
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

    /** A UUID of version 4 and variant 2, made of a number. */
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
