package dev.touchstone.index.server;

import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.index.Field;
import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.loader.PriceSchema;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say where the prices come from, and how they are read. */
final class SourceOptions {
    /** Options for the source of the prices, at most one of which may be given. */
    static final class Sources {
        @Option(
                names = "--prices",
                paramLabel = "FILE",
                description =
                        "CSV file with a header line (id, offering, value, currency, default, payload, and fields), or "
                                + "JSON Lines with the same names if the file name ends with .jsonl or .ndjson. "
                                + "Either may be compressed by gzip; its name may then end with .gz as well.")
        @Nullable
        Path prices;

        @Option(names = "--index", paramLabel = "FILE", description = "Index file.")
        @Nullable
        Path index;
    }

    @ArgGroup
    Sources sources = new Sources();

    @Option(
            names = "--types",
            paramLabel = "FIELD=TYPE",
            split = ",",
            description =
                    "Types of fields: integer, decimal(digits) or date-time, and string[] for a field of strings that "
                            + "may have several values with | between them, or string[;] with another separator. Other fields "
                            + "are strings. "
                            + "The file must have each of the fields.")
    Map<String, String> types = new LinkedHashMap<>();

    @Option(names = "--key", paramLabel = "NAME", description = "Name of the key field. Default: ${DEFAULT-VALUE}.")
    String key = "offering";

    @Option(
            names = "--max-errors",
            paramLabel = "ROWS",
            description = "Maximum number of bad rows to skip; one more ends the load. Default: ${DEFAULT-VALUE}.")
    long maxErrors = LoadOptions.DEFAULT.maxErrors();

    @Option(names = "--allow-empty", description = "Serve a file without a single price instead of refusing it.")
    boolean isEmptyAllowed;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Zone of dates and times without an offset, such as Europe/Berlin or +01:00. A time that its "
                    + "clocks skip or show twice makes the row bad. Default: UTC.")
    String zone = "UTC";

    @Option(names = "--mapped", description = "Memory-map the payloads of the index file instead of loading them.")
    boolean isMapped;

    /** Returns whether the command line names a source. */
    boolean isGiven() {
        return sources.prices != null || sources.index != null;
    }

    /** Returns the index of the source, or one of generated prices without a source. */
    PriceIndex load(PrintWriter messages) throws IOException {
        LoadOptions options = loadOptions();
        Source source = new Source(messages);
        Path prices = sources.prices;
        Path index = sources.index;
        refuseFolder("--prices", prices);
        refuseFolder("--index", index);
        if (prices != null) {
            return source.prices(prices, key, types, options);
        }
        PriceIndex found = index != null ? source.index(index, isMapped) : source.seed();
        checkTypes(found);
        return found;
    }

    LoadOptions loadOptions() {
        Ranges.check("--max-errors", maxErrors, 0, Long.MAX_VALUE);
        return LoadOptions.DEFAULT
                .withMaxErrors(maxErrors)
                .withMayBeEmpty(isEmptyAllowed)
                .withZone(zoneId());
    }

    /** Returns the file of {@code --prices}, which a watch needs. */
    Path watched() {
        Path prices = sources.prices;
        if (prices == null) {
            throw new UsageException("--watch: expected a file to watch; name it by --prices");
        }
        refuseFolder("--prices", prices);
        return prices;
    }

    /** Checks that the fields with a type are fields of an index, and have that type there. */
    void checkTypes(PriceIndex index) {
        PriceSchema.Builder stated = PriceSchema.builder();
        types.forEach(stated::field);
        for (Field field : stated.build().fields()) {
            boolean isSame = index.fields().stream()
                    .anyMatch(each -> each.name().equals(field.name())
                            && each.type() == field.type()
                            && each.scale() == field.scale());
            if (!isSame) {
                throw new UsageException("--types: no field of this type: field=" + field.name() + " type="
                        + types.get(field.name()) + " fields=" + index.fields());
            }
        }
    }

    private ZoneId zoneId() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new UsageException("--zone: expected a zone such as Europe/Berlin or +01:00, got '" + zone + "'", e);
        }
    }

    /** Refuses a folder in the place of a file. */
    static void refuseFolder(String option, @Nullable Path file) {
        if (file != null && Files.isDirectory(file)) {
            throw new UsageException(option + ": expected a file, got a folder: path=" + file);
        }
    }
}
