package dev.touchstone.index.server;

import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.loader.LoadReport;
import dev.touchstone.index.loader.PriceLoad;
import dev.touchstone.index.loader.PriceLoader;
import dev.touchstone.index.loader.PriceSchema;
import dev.touchstone.index.loader.RowError;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.SeedPrices;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** A source of the prices of a service. */
final class Source {
    private final PrintWriter messages;

    Source(PrintWriter messages) {
        this.messages = messages;
    }

    /** Returns an index of the generated prices. */
    PriceIndex seed() {
        SeedPrices seed = new SeedPrices();
        return seed.declare(PriceIndex.builder()).build(new Progress(seed, messages));
    }

    /** Returns the index of an index file. */
    PriceIndex index(Path file, boolean isMapped) throws IOException {
        return isMapped ? PriceIndex.map(file) : PriceIndex.open(file);
    }

    /** Returns an index of the prices of a file of CSV, or of JSON Lines if the name of the file ends with {@code .jsonl} or {@code .ndjson}, and {@code .gz} if any. */
    PriceIndex prices(Path file, String key, Map<String, String> types, LoadOptions options) throws IOException {
        boolean isJson = isJsonLines(file);
        PriceSchema schema = isJson
                ? PriceLoader.jsonLinesSchema(file, key, types, options)
                : PriceLoader.csvSchema(file, key, types);
        try (InputStream content = Files.newInputStream(file);
                PriceLoad load = open(file, content, schema, options)) {
            PriceIndex index = schema.declare(PriceIndex.builder()).build(new Progress(load, messages));
            report(load.report(), messages);
            if (load.report().rows() > 0) {
                load.requireColumns(types.keySet()); // JSON Lines show their columns only when all rows were read
            }
            return index;
        }
    }

    /** Opens the content of a file of prices, whose format its name tells. */
    static PriceLoad open(Path file, InputStream content, PriceSchema schema, LoadOptions options) throws IOException {
        return isJsonLines(file)
                ? PriceLoader.jsonLines(content, schema, options)
                : PriceLoader.csv(content, schema, options);
    }

    /** Returns whether a file is of JSON Lines by its name; else it is of CSV. */
    static boolean isJsonLines(Path file) {
        String full = file.toString().toLowerCase(Locale.ROOT);
        String name = full.endsWith(".gz") ? full.substring(0, full.length() - ".gz".length()) : full;
        return name.endsWith(".jsonl") || name.endsWith(".ndjson");
    }

    /** Prints how many prices were loaded, and which rows were not. */
    static void report(LoadReport report, PrintWriter messages) {
        messages.println("loaded: " + report.loaded() + " prices of " + report.rows() + " rows");
        for (RowError error : report.first()) {
            messages.println("not loaded: " + error);
        }
        if (report.errors() > report.first().size()) {
            messages.println("not loaded: " + (report.errors() - report.first().size()) + " more rows");
        }
    }
}
