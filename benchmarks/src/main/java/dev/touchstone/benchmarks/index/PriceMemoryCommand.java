package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code price-memory}: prints the seed's table of memory. */
@Command(
        name = "price-memory",
        description = {
            "Shows the heap that the 487 200 generated prices and their indexes take.",
            "",
            "Sizes come from JOL: all reachable objects in the layout of this JVM. 1 MB is a million bytes. The map and "
                    + "bitmap engines keep each price as an object in a HashMap, as the seed does; our engine keeps "
                    + "columns, which stay in the file if it is memory-mapped.",
            "",
            "Sizes on a Hazelcast member are the growth of the heap that is left after collections."
        },
        exitCodeList = {
            "0:Measured.",
            "2:The command line, or a value that it names, cannot be used.",
            "4:A measurement or the machine failed."
        })
public final class PriceMemoryCommand implements SubCommand {
    private static final double MEGA = 1e6;

    private @Nullable Console told;

    @Option(
            names = "--prices",
            paramLabel = "<n>",
            description = "Only this many of the generated prices. Default: all.")
    private int most = Integer.MAX_VALUE;

    @Option(names = "--hazelcast", description = "Also the prices on a Hazelcast member, with their indexes.")
    private boolean hazelcast;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    private boolean json;

    /** The content of the printed JSON. */
    private record Report(int schema, int prices, List<PriceMemory.Row> rows) {}

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        Ranges.check("--prices", most, 1, Integer.MAX_VALUE);
        int prices = PriceData.SEED.prices(most).size();
        List<PriceMemory.Row> rows = new ArrayList<>(PriceMemory.measure(prices));
        if (hazelcast) {
            rows.addAll(ClusterMemory.measure(prices));
        }
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
