package dev.touchstone.benchmarks.index;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.file.StrictJson;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code price-updates}: measures searches while the index is updated, and the updates. */
@Command(
        name = "price-updates",
        description = {
            "Shows how updates slow searches down, and how long updates take.",
            "",
            "Threads search the 487 200 generated prices without a pause. Turns without updates and turns in which one "
                    + "more thread updates the index alternate. Each search is timed. With more threads than processors, "
                    + "the highest percentiles show the system's scheduling rather than the index."
        },
        exitCodeList = {
            "0:Measured.",
            "2:The command line, or a value that it names, cannot be used.",
            "4:A measurement or the machine failed."
        })
public final class PriceUpdatesCommand implements SubCommand {
    private static final double MILLION = 1e6;
    private static final int MAX_SECONDS = 86_400;

    private @Nullable Console told;

    @Option(
            names = "--readers",
            paramLabel = "<n>",
            description = "Number of searching threads. Default: ${DEFAULT-VALUE}.")
    private int readers = 8;

    @Option(names = "--batch", paramLabel = "<n>", description = "Prices in each update. Default: ${DEFAULT-VALUE}.")
    private int batch = 1000;

    @Option(
            names = "--every",
            paramLabel = "<ms>",
            description = "Time from the start of an update to the start of the next. Default: ${DEFAULT-VALUE}.")
    private int everyMillis = 200;

    @Option(names = "--seconds", paramLabel = "<n>", description = "Length of a turn. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    @Option(names = "--rounds", paramLabel = "<n>", description = "Turns of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds = 3;

    @Option(
            names = "--prices",
            paramLabel = "<n>",
            description = "Only this many of the generated prices. Default: all.")
    private int most = Integer.MAX_VALUE;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    private boolean json;

    /** The content of the printed JSON. */
    private record Report(int schema, PriceUpdates.Plan plan, List<Row> rows) {}

    /** A line of the table. Times are nanoseconds. */
    private record Row(String title, double searchesPerSecond, Times searches, Times publishes) {
        static Row of(PriceUpdates.Measured measured) {
            return new Row(
                    measured.title(),
                    measured.searches().getTotalCount() / measured.seconds(),
                    Times.of(measured.searches()),
                    Times.of(measured.publishes()));
        }
    }

    /** Percentiles. */
    private record Times(long count, long p50, long p99, long p999, long most) {
        static Times of(Histogram nanos) {
            return new Times(
                    nanos.getTotalCount(),
                    nanos.getValueAtPercentile(50),
                    nanos.getValueAtPercentile(99),
                    nanos.getValueAtPercentile(99.9),
                    nanos.getMaxValue());
        }
    }

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Objects.requireNonNull(told, "console");
        Ranges.check("--readers", readers, 1, Integer.MAX_VALUE);
        Ranges.check("--batch", batch, 1, Integer.MAX_VALUE);
        Ranges.check("--every", everyMillis, 1, Integer.MAX_VALUE);
        Ranges.check("--rounds", rounds, 1, Integer.MAX_VALUE);
        Ranges.check("--prices", most, 1, Integer.MAX_VALUE);
        if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
            throw new UsageException("--seconds: expected a number above 0, up to " + MAX_SECONDS + ", got " + seconds);
        }
        var plan = new PriceUpdates.Plan(readers, batch, TimeUnit.MILLISECONDS.toNanos(everyMillis), seconds, rounds);
        List<Row> rows;
        try {
            rows = new PriceUpdates(plan, most).measure().stream().map(Row::of).toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reader failed", e);
        }
        console.out().print(json ? StrictJson.pretty(new Report(1, plan, rows)) : text(plan, rows));
        console.out().flush();
        return ExitCode.OK;
    }

    private static String text(PriceUpdates.Plan plan, List<Row> rows) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d threads search, updates of %d prices; %d turns of %.1f s%n%n%-26s%12s%8s%8s%8s%8s%10s%9s%9s%9s%n",
                plan.readers(),
                plan.batch(),
                plan.rounds(),
                plan.seconds(),
                "",
                "searches/s",
                "p50 ns",
                "p99",
                "p99.9",
                "p99 is",
                "publishes",
                "p50 ms",
                "p99",
                "most"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-26s%12.0f%8d%8d%8d%7.2fx%10d%9.2f%9.2f%9.2f%n",
                    row.title,
                    row.searchesPerSecond,
                    row.searches.p50,
                    row.searches.p99,
                    row.searches.p999,
                    row.searches.p99 / (double) rows.get(0).searches.p99,
                    row.publishes.count,
                    row.publishes.p50 / MILLION,
                    row.publishes.p99 / MILLION,
                    row.publishes.most / MILLION));
        }
        return text.toString();
    }
}
