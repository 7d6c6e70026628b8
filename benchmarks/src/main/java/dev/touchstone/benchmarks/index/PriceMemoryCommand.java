package dev.touchstone.benchmarks.index;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.cli.SubCommand;
import dev.touchstone.harness.store.StrictJson;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code price-memory}: the seed's table of memory, from the command line. */
@Command(
        name = "price-memory",
        sortOptions = false,
        description = "Tells what heap the 487 200 generated prices keep, and what they are searched by.",
        footer = {
            "",
            "Sizes are JOL's: all objects that can be reached, as this JVM lays them out. MB is a million",
            "bytes. The prices of the map and the bitmaps are objects in a HashMap by id, as the seed has",
            "them; ours are columns, which stay in the file where it is mapped.",
            "",
            "Exit codes: 0 measured, 2 usage, 4 failed."
        })
public final class PriceMemoryCommand implements SubCommand {
    private static final double MEGA = 1e6;

    private @Nullable Console told;

    @Option(
            names = "--prices",
            paramLabel = "<n>",
            description = "Only the first ones. Default: ${DEFAULT-VALUE}, which is more than there are.")
    private int most = Integer.MAX_VALUE;

    @Option(names = "--json", description = "One JSON document on stdout in place of the text.")
    private boolean json;

    /** What is printed as JSON. */
    private record Report(int schema, int prices, List<PriceMemory.Row> rows) {}

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        if (most < 1) {
            throw new UsageException("--prices: expected 1 or more, got " + most);
        }
        int prices = PriceData.SEED.prices(most).size();
        List<PriceMemory.Row> rows = PriceMemory.measure(prices);
        console.out().print(json ? StrictJson.pretty(new Report(1, prices, rows)) : text(prices, rows));
        console.out().flush();
        return ExitCode.OK;
    }

    private static String text(int prices, List<PriceMemory.Row> rows) {
        StringBuilder text = new StringBuilder(prices + " prices, MB of heap\n\n");
        text.append(
                String.format(Locale.ROOT, "%-46s%10s%10s%10s%12s%n", "", "prices", "index", "together", "B a price"));
        for (PriceMemory.Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-46s%10.2f%10.2f%10.2f%12.1f%n",
                    row.name(),
                    row.pricesBytes() / MEGA,
                    row.indexBytes() / MEGA,
                    row.bytes() / MEGA,
                    row.bytes() / (double) prices));
        }
        return text.toString();
    }
}
