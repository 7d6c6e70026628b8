package dev.touchstone.benchmarks.index;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.cli.SubCommand;
import dev.touchstone.harness.store.StrictJson;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code price-updates}: what searches feel of updates, and how long those take, from the command line. */
@Command(
        name = "price-updates",
        sortOptions = false,
        description = "Tells what searches feel of updates beside them, and how long updates take.",
        footer = {
            "",
            "Threads search the 487 200 generated prices without a pause, while the index is left alone and",
            "while one thread updates it, in turns. Searches are timed one by one; with more threads than",
            "processors their highest percentiles are the system's, which takes the processor from them.",
            "",
            "Exit codes: 0 measured, 2 usage, 4 failed."
        })
public final class PriceUpdatesCommand implements SubCommand {
    private static final double MILLION = 1e6;

    private @Nullable Console told;

    @Option(names = "--readers", paramLabel = "<n>", description = "Threads that search. Default: ${DEFAULT-VALUE}.")
    private int readers = 8;

    @Option(names = "--batch", paramLabel = "<n>", description = "Prices of an update. Default: ${DEFAULT-VALUE}.")
    private int batch = 1000;

    @Option(
            names = "--every",
            paramLabel = "<ms>",
            description = "From one update's begin to the next one's. Default: ${DEFAULT-VALUE}.")
    private int everyMillis = 200;

    @Option(names = "--seconds", paramLabel = "<n>", description = "Of a turn. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    @Option(names = "--rounds", paramLabel = "<n>", description = "Turns of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds = 3;

    @Option(
            names = "--prices",
            paramLabel = "<n>",
            description = "Only the first ones. Default: ${DEFAULT-VALUE}, which is more than there are.")
    private int most = Integer.MAX_VALUE;

    @Option(names = "--json", description = "One JSON document on stdout in place of the text.")
    private boolean json;

    /** What is printed as JSON. */
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
        if (readers < 1 || batch < 1 || everyMillis < 1 || rounds < 1 || most < 1 || !(seconds > 0)) {
            throw new UsageException("expected numbers of 1 or more: --readers=" + readers + " --batch=" + batch
                    + " --every=" + everyMillis + " --rounds=" + rounds + " --prices=" + most + " --seconds="
                    + seconds);
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
