package dev.touchstone.samples.consumer;

import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.loader.PriceLoad;
import dev.touchstone.index.loader.PriceLoader;
import dev.touchstone.index.loader.PriceSchema;
import dev.touchstone.index.price.PriceIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Loads two prices from CSV, of which one has no value. */
final class LoaderSample implements Sample {
    @Override
    public void run(Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("prices.csv"), """
                id,offering,group,value
                p1,o1,g5,9.90
                p2,o1,g6,
                """);
        PriceSchema schema = PriceLoader.csvSchema(file, "offering", Map.of());
        try (PriceLoad load = PriceLoader.csv(file, schema, LoadOptions.DEFAULT.withMaxErrors(1))) {
            PriceIndex index = schema.declare(PriceIndex.builder()).build(load);
            Sample.check(1, index.prices("o1").size());
            Sample.check(1L, load.report().errors());
        }
    }
}
