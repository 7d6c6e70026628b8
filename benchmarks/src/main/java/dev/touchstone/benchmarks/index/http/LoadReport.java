package dev.touchstone.benchmarks.index.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The command's report: a column for each server, with the seed's rows and further ones.
 *
 * @param schema version of this form
 * @param pinned whether server and load had processors of their own
 */
record LoadReport(
        int schema,
        int threads,
        int connections,
        double perSecond,
        int items,
        int rounds,
        boolean pinned,
        List<Column> columns) {
    static final int SCHEMA = 1;

    private static final double[] PERCENTS = {50, 90, 95, 97, 98, 99, 99.9, 99.99, 99.999};
    private static final int WIDTH = 18;
    private static final int MICROS = 1000;

    /**
     * The results of a server.
     *
     * @param failures answers of a status other than 2xx
     * @param percentileNanos times by the percentage of answers that took no longer
     * @param roundsPerSecond requests in a second, round by round
     */
    record Column(
            String name,
            long requests,
            long failures,
            double seconds,
            double perSecond,
            long bodyBytes,
            Map<String, Long> percentileNanos,
            long mostNanos,
            List<Double> roundsPerSecond) {
        static Column of(String name, List<LoadResult> rounds) {
            LoadResult all = new LoadResult();
            List<Double> speeds = new ArrayList<>();
            for (LoadResult round : rounds) {
                all.addLater(round);
                speeds.add(round.perSecond());
            }
            Map<String, Long> percentiles = new TreeMap<>();
            for (double percent : PERCENTS) {
                percentiles.put(row(percent), all.percentile(percent));
            }
            return new Column(
                    name,
                    all.requests(),
                    all.failures(),
                    all.seconds(),
                    all.perSecond(),
                    all.bodyBytes(),
                    percentiles,
                    all.most(),
                    speeds);
        }

        private double median() {
            return LoadReport.median(roundsPerSecond.stream());
        }

        /** Returns the median of the ratios to another server in the same rounds. */
        private double ratio(Column other) {
            return LoadReport.median(IntStream.range(0, roundsPerSecond.size())
                    .mapToObj(round -> roundsPerSecond.get(round) / other.roundsPerSecond.get(round)));
        }

        private long nanos(double percent) {
            Long found = percentileNanos.get(row(percent));
            return found == null ? 0 : found;
        }
    }

    private static double median(Stream<Double> values) {
        List<Double> sorted = values.sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static String row(double percent) {
        return "p" + (percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent));
    }

    long failures() {
        return columns.stream().mapToLong(Column::failures).sum();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("threads=" + threads + " connections=" + connections + " searches/request=" + items + " rounds="
                + rounds + (perSecond > 0 ? " rate=" + perSecond + "/s" : " rate=as fast as answers come")
                + (pinned ? " processors=apart" : " processors=shared") + "\n\n");
        line(text, "", columns.stream().map(Column::name).toList());
        for (double percent : PERCENTS) {
            line(
                    text,
                    row(percent),
                    columns.stream().map(column -> time(column.nanos(percent))).toList());
        }
        line(text, "max", columns.stream().map(column -> time(column.mostNanos)).toList());
        line(
                text,
                "requests",
                columns.stream().map(column -> Long.toString(column.requests)).toList());
        line(
                text,
                "requests/s",
                columns.stream().map(column -> number(column.perSecond)).toList());
        line(
                text,
                "median/s",
                columns.stream().map(column -> number(column.median())).toList());
        List<String> shares = columns.stream()
                .map(column -> ceiling(column)
                        .map(ceiling -> String.format(Locale.ROOT, "%.2f", column.ratio(ceiling)))
                        .orElse("-"))
                .toList();
        if (shares.stream().anyMatch(share -> !share.equals("-"))) {
            line(text, "of ceiling", shares);
        }
        line(
                text,
                "not 2xx",
                columns.stream().map(column -> Long.toString(column.failures)).toList());
        return text.toString();
    }

    private static void line(StringBuilder text, String name, List<String> cells) {
        text.append(String.format(Locale.ROOT, "%-10s", name));
        cells.forEach(cell -> text.append(String.format(Locale.ROOT, "%" + WIDTH + "s", cell)));
        text.append('\n');
    }

    private static String time(long nanos) {
        if (nanos < TimeUnit.MILLISECONDS.toNanos(1)) {
            return String.format(Locale.ROOT, "%.1f µs", (double) nanos / MICROS);
        }
        return String.format(Locale.ROOT, "%.2f ms", nanos / (double) TimeUnit.MILLISECONDS.toNanos(1));
    }

    private Optional<Column> ceiling(Column column) {
        return ServedSubject.ceilingOf(column.name)
                .flatMap(name -> columns.stream()
                        .filter(other -> other.name.equals(name))
                        .findFirst());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
