package dev.touchstone.benchmarks.index.store;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.index.server.store.StoreFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code price-store}: measures durable changes of one large offering. */
@Command(
        name = "price-store",
        description = {
            "Shows how long durable changes take in an offering of many prices.",
            "",
            "Makes a store of one offering on the disk that is measured, and changes it by one thread: one price in each "
                    + "batch, then many. A change counts when it is on the device and visible. The snapshots that the changes "
                    + "make due are part of it. The folder is removed at the end."
        },
        exitCodeList = {
            "0:Measured.",
            "2:The command line, or a value that it names, cannot be used.",
            "4:A measurement or the machine failed."
        })
public final class StoreUpdatesCommand implements SubCommand {
    private static final double MILLION = 1e6;
    private static final int MAX_SECONDS = 86_400;

    private @Nullable Console told;

    @Option(names = "--prices", paramLabel = "<n>", description = "Prices of the offering. Default: ${DEFAULT-VALUE}.")
    private int prices = 2_000_000;

    @Option(
            names = "--batch",
            paramLabel = "<n>",
            description = "Prices in each batch of the second turn. Default: ${DEFAULT-VALUE}.")
    private int batch = 1000;

    @Option(names = "--seconds", paramLabel = "<n>", description = "Length of a turn. Default: ${DEFAULT-VALUE}.")
    private double seconds = 30;

    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description = "Folder on the disk that is measured. Default: the folder for temporary files.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    private boolean json;

    /** The document that {@code --json} prints. */
    private record Report(int schema, int prices, List<Row> rows) {}

    /** A line of the table. Times are nanoseconds. */
    private record Row(int batch, long batches, double changesPerSecond, long p50, long p99, long max) {
        static Row of(StoreUpdates.Measured measured) {
            return new Row(
                    measured.batch(),
                    measured.nanos().getTotalCount(),
                    measured.rate(),
                    measured.nanos().getValueAtPercentile(50),
                    measured.nanos().getValueAtPercentile(99),
                    measured.nanos().getMaxValue());
        }
    }

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        Ranges.check("--prices", prices, 1, Integer.MAX_VALUE);
        Ranges.check("--batch", batch, 1, Integer.MAX_VALUE);
        if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
            throw new UsageException("--seconds: expected a number above 0, up to " + MAX_SECONDS + ", got " + seconds);
        }
        if (!Files.isDirectory(data)) {
            throw new UsageException("--data: expected a folder, got " + data);
        }
        List<Row> rows;
        try {
            rows = StoreUpdates.measure(data, prices, List.of(1, batch), seconds).stream()
                    .map(Row::of)
                    .toList();
        } catch (StoreFailedException e) {
            throw new IOException("the store refused a batch: folder=" + data, e);
        }
        console.out().print(json ? StrictJson.pretty(new Report(1, prices, rows)) : text(rows));
        console.out().flush();
        return ExitCode.OK;
    }

    private String text(List<Row> rows) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "durable changes in an offering of %d prices, %.0f s each%n%n%-10s%10s%12s%10s%10s%10s%n",
                prices,
                seconds,
                "batch",
                "batches",
                "changes/s",
                "p50 ms",
                "p99 ms",
                "max ms"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-10d%10d%12.0f%10.2f%10.2f%10.2f%n",
                    row.batch,
                    row.batches,
                    row.changesPerSecond,
                    row.p50 / MILLION,
                    row.p99 / MILLION,
                    row.max / MILLION));
        }
        return text.toString();
    }
}
