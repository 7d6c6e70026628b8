package dev.touchstone.samples.consumer;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Builds an index, searches it, writes it to a file, and searches the mapped file. */
final class IndexSample implements Sample {
    private static final Price PRICE =
            Price.of("p1", "o1", Map.of("group", "g5", "term", 12L), new BigDecimal("9.90"));

    /** Returns an index of one price. */
    static PriceIndex index() {
        return PriceIndex.builder().string("group").integer("term").build(List.of(PRICE));
    }

    @Override
    public void run(Path folder) throws Exception {
        PriceIndex index = index();
        search(index);
        Path file = folder.resolve("prices.index");
        index.write(file);
        search(PriceIndex.map(file));
    }

    private static void search(PriceIndex index) {
        SearchResult result =
                index.search(index.query().offering("o1").eq("group", "g5").between("term", 1L, 24L));
        if (!(result instanceof SearchResult.Found found)) {
            throw new IllegalStateException("result=" + result);
        }
        Sample.check(new BigDecimal("9.90"), found.value(0));
    }
}
