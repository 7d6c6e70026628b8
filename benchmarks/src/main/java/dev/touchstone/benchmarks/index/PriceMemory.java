package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.Jol;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.peer.MapSearchAdapter;
import dev.touchstone.benchmarks.index.peer.RoaringSearchAdapter;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.openjdk.jol.info.GraphStats;

/** The heap that prices and what they are searched by keep: all objects that can be reached, by their sizes in this JVM. */
final class PriceMemory {
    /** Characters of a payload where prices have them. */
    static final int PAYLOAD_CHARS = 200;

    private static final long[] CACHE_BYTES = {4 << 20, 16 << 20, 64 << 20};

    private final PriceData.Numbered prices;
    private final List<Row> rows = new ArrayList<>();

    /**
     * A line of the table.
     *
     * @param name of an engine or a cache
     * @param pricesBytes ids, values and what else a price has beside its conditions; 0 where they are in a file
     * @param indexBytes what is searched
     */
    record Row(String name, long pricesBytes, long indexBytes) {
        long bytes() {
            return pricesBytes + indexBytes;
        }
    }

    /** A price as the seed keeps it, in a map by its id, beside what is searched. */
    private record Stored(String id, String offering, double value, String currency, boolean isDefault) {}

    private PriceMemory(PriceData.Numbered prices) {
        this.prices = prices;
    }

    /** Measures with all of the seed's prices, or the first ones. */
    static List<Row> measure(int most) throws IOException {
        Jol.prepare();
        PriceMemory memory = new PriceMemory(PriceData.SEED.prices(most));
        Path folder = Files.createTempDirectory("touchstone-price-memory");
        Path file = folder.resolve("prices.index");
        try {
            memory.engines(file);
            memory.caches(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
        return memory.rows;
    }

    private void engines(Path file) throws IOException {
        PriceIndex ours = PriceData.SEED.index(prices);
        ours.write(file);
        PriceIndex mapped = PriceIndex.map(file);
        long objects = storedBytes();
        long all = bytes(ours);
        long searched = bytes(mapped);
        rows.add(new Row("map and scan", objects, bytes(MapSearchAdapter.scanning(ours, prices))));
        rows.add(new Row("Roaring bitmaps", objects, bytes(new RoaringSearchAdapter(ours, prices))));
        rows.add(new Row("ours", all - searched, searched));
        rows.add(new Row("ours, mapped", 0, searched));
        rows.add(new Row(
                "ours, an offering for each price", 0, bytes(PriceData.SEED.index(this::inOfferingsOfTheirOwn))));
    }

    private long storedBytes() {
        Map<String, Stored> stored = new HashMap<>();
        for (Price price : prices) {
            stored.put(
                    price.id(),
                    new Stored(
                            price.id(),
                            price.offering().intern(),
                            price.value().doubleValue(),
                            price.currency().intern(),
                            price.isDefault()));
        }
        return bytes(stored);
    }

    private static long bytes(Object root) {
        return GraphStats.parseInstance(root).totalSize();
    }

    /** Caches of several sizes, after all payloads were asked for. */
    private void caches(Path file) throws IOException {
        PriceData.SEED.index(this::withPayloads).write(file);
        for (long most : CACHE_BYTES) {
            PriceIndex index = PriceIndex.map(file, most);
            long before = bytes(index);
            askForPayloads(index);
            rows.add(new Row(
                    "ours, mapped, payloads in a cache of " + (most >> 20) + " MiB", bytes(index) - before, before));
        }
    }

    private Iterator<Price> inOfferingsOfTheirOwn() {
        return changed(price -> new Price(
                price.id(),
                price.offering() + "-" + price.id(),
                price.conditions(),
                price.value(),
                price.currency(),
                price.isDefault(),
                null));
    }

    private Iterator<Price> withPayloads() {
        return changed(price -> new Price(
                price.id(),
                price.offering(),
                price.conditions(),
                price.value(),
                price.currency(),
                price.isDefault(),
                (price.value() + "-").repeat(PAYLOAD_CHARS).substring(0, PAYLOAD_CHARS)));
    }

    private Iterator<Price> changed(UnaryOperator<Price> change) {
        return StreamSupport.stream(prices.spliterator(), false).map(change).iterator();
    }

    private static void askForPayloads(PriceIndex index) {
        PriceQuery all = index.query().policy(MatchPolicy.ALL).limit(Integer.MAX_VALUE);
        if (index.search(all) instanceof SearchResult.Found found) {
            for (int i = 0; i < found.size(); i++) {
                found.payload(i);
            }
        }
    }
}
