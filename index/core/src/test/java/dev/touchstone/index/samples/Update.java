package dev.touchstone.index.samples;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Prices that change while others search: all changes of a batch are seen together, or none. */
final class Update {
    private Update() {}

    /** Returns the versions of an answer before an update and of one behind it, with their values. */
    static List<String> run() {
        Price monday = Price.of("a", "bread", Map.of("size", "large"), new BigDecimal("2.50"));
        PriceIndex index = PriceIndex.builder().string("size").build(List.of(monday));
        PriceQuery query = index.query().offering("bread").eq("size", "large");
        SearchResult.Found before = (SearchResult.Found) index.search(query);
        index.update(new PriceBatch()
                .put(Price.of("b", "bread", Map.of("size", "large"), new BigDecimal("2.70")))
                .remove("bread", "a"));
        SearchResult.Found after = (SearchResult.Found) index.search(query);
        return List.of(before.version() + ": " + before.value(0), after.version() + ": " + after.value(0));
    }
}
