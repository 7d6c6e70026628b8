package dev.touchstone.index.samples;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.sample.MixedPrices;
import java.io.IOException;
import java.nio.file.Path;

/** An index that is made once, written, and mapped by whoever needs it. */
final class WriteAndMap {
    private WriteAndMap() {}

    /** Returns how many prices a mapped index finds, of those that were written. */
    static long run(Path folder) throws IOException {
        Path file = folder.resolve("prices.index");
        MixedPrices prices = new MixedPrices(1000, 5, 3, 1);
        prices.declare(PriceIndex.builder()).build(prices).write(file);
        PriceIndex.validate(file); // as mapping does, too
        PriceIndex mapped = PriceIndex.map(file);
        long found = 0;
        for (int i = 0; i < prices.count(); i++) {
            SearchResult result = mapped.search(mapped.query()
                    .offering(prices.price(i).offering())
                    .eq("amount", prices.price(i).conditions().getOrDefault("amount", 0))
                    .eq("from", prices.price(i).conditions().getOrDefault("from", 0)));
            found += result instanceof SearchResult.Found ? 1 : 0;
        }
        return found;
    }
}
