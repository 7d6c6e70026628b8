package dev.touchstone.harness.report;

import dev.touchstone.harness.paced.ResponseTimes;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Matrix.Subject;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Response times at fixed rates. Percentiles are of all calls of all forks, put together in one histogram; how far forks differ is told by an
 * interval over the forks' own percentiles, and the ratio to ours by their pairs.
 *
 * @param tables one for each workload, its parameters, threads and rate
 */
public record Latencies(List<Table> tables) {
    /** Percentiles that tables show, in percent. */
    public static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    /** Explanation above the tables. */
    public static final String LEAD =
            "µs from when a call was due to its end, of all calls of all forks together; in brackets where the"
                    + " percentile lies from fork to fork (95 % from 6 forks on). A percentile that fewer than 10 calls exceed is left out.";

    /** A percentile that fewer calls exceed is theirs, not the subject's. */
    private static final int MIN_BEYOND = 10;

    /**
     * Subjects under the same load.
     *
     * @param heading workload and conditions
     * @param load the same without the rate
     * @param ratePerSecond calls a second of all threads together
     */
    public record Table(String heading, String load, Workload workload, int ratePerSecond, List<Line> lines) {}

    /**
     * A subject at the table's rate.
     *
     * @param forks each fork's calls
     * @param all of them together
     * @param held whether nearly all calls that were due were made, in every fork
     * @param quantiles those of {@link #PERCENTILES} that enough calls exceed
     */
    public record Line(
            String label,
            Row.Kind kind,
            List<ResponseTimes> forks,
            ResponseTimes all,
            boolean held,
            List<Quantile> quantiles) {
        /** Share of the calls that were made of those that were due, in percent. */
        double percentMade() {
            return 100.0 * all.made() / Math.max(1, all.made() + all.omitted());
        }
    }

    /**
     * A percentile of a subject's response times.
     *
     * @param micros of all calls together
     * @param forks over the forks' own percentiles; its low and high ends are those of the interval
     * @param ratio how many times better ours is; null for ours and where no round has both
     */
    public record Quantile(
            double percentile,
            double micros,
            PairedRatio forks,
            @Nullable PairedRatio ratio) {}

    /** Returns the tables of a run's forks; none if no fork ran at a fixed rate. */
    static Latencies of(Matrix matrix, Collection<ForkResult> forks) {
        Map<Key, Map<Side, SortedMap<Integer, Latency>>> groups = new LinkedHashMap<>();
        for (ForkResult fork : CountedForks.counted(forks)) {
            Latency latency = fork.latency();
            if (latency != null) {
                groups.computeIfAbsent(Key.of(fork), key -> new LinkedHashMap<>())
                        .computeIfAbsent(new Side(fork.subject(), fork.build()), side -> new TreeMap<>())
                        .put(fork.round(), latency);
            }
        }
        List<Table> tables = new ArrayList<>();
        for (Workload workload : matrix.workloads()) {
            groups.forEach((key, sides) -> {
                if (key.workload.equals(workload.id())) {
                    tables.add(table(matrix, workload, key, sides));
                }
            });
        }
        tables.sort(Comparator.comparingInt((Table table) -> matrix.workloads().indexOf(table.workload))
                .thenComparing(Table::load)
                .thenComparingInt(Table::ratePerSecond));
        return new Latencies(List.copyOf(tables));
    }

    private static Table table(
            Matrix matrix, Workload workload, Key key, Map<Side, SortedMap<Integer, Latency>> sides) {
        SortedMap<Integer, Latency> ours = sides.getOrDefault(new Side(workload.ours(), Build.OWN), new TreeMap<>());
        List<Line> lines = new ArrayList<>();
        sides.forEach((side, forks) -> lines.add(line(matrix, workload, side, forks, ours)));
        lines.sort(Comparator.comparing(Line::kind));
        int rate = Integer.parseInt(key.params.getOrDefault(Cell.RATE, "0"));
        SortedMap<String, String> load = new TreeMap<>(key.params);
        load.remove(Cell.RATE);
        return new Table(
                heading(workload, key.params, key.threads),
                heading(workload, load, key.threads),
                workload,
                rate,
                List.copyOf(lines));
    }

    private static String heading(Workload workload, SortedMap<String, String> params, int threads) {
        return new Group(workload, params, threads, "", false, null, List.of()).heading();
    }

    private static Line line(
            Matrix matrix,
            Workload workload,
            Side side,
            SortedMap<Integer, Latency> forks,
            SortedMap<Integer, Latency> ours) {
        Subject subject = matrix.subjects().get(side.subject);
        String label = subject == null ? side.subject : subject.label();
        boolean own = side.subject.equals(workload.ours()) && side.build == Build.OWN;
        SortedMap<Integer, ResponseTimes> times = times(forks);
        ResponseTimes all = ResponseTimes.merged(List.copyOf(times.values()));
        List<Quantile> quantiles = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            if (enough(all, percentile)) {
                SortedMap<Integer, Double> each = micros(times, percentile);
                PairedRatio ratio = own
                        ? null
                        : PairedRatio.of(micros(times(ours), percentile), each, false)
                                .orElse(null);
                interval(each)
                        .ifPresent(spread ->
                                quantiles.add(new Quantile(percentile, all.micros(percentile), spread, ratio)));
            }
        }
        return new Line(
                side.build == Build.OWN ? label : label + ", " + (side.build == Build.BASELINE ? "baseline" : "again"),
                own ? Row.Kind.OURS : kind(workload, side),
                List.copyOf(times.values()),
                all,
                forks.values().stream().allMatch(Latency::held),
                List.copyOf(quantiles));
    }

    private static Row.Kind kind(Workload workload, Side side) {
        Matrix.Ceiling ceiling = workload.ceiling();
        return ceiling != null && ceiling.subject().equals(side.subject) ? Row.Kind.CEILING : Row.Kind.PEER;
    }

    /** Returns whether at least {@link #MIN_BEYOND} calls exceed the percentile: of fewer calls it would say nothing. */
    static boolean enough(ResponseTimes times, double percentile) {
        return times.nanos().getTotalCount() * (100 - percentile) / 100 >= MIN_BEYOND;
    }

    private static SortedMap<Integer, ResponseTimes> times(SortedMap<Integer, Latency> forks) {
        SortedMap<Integer, ResponseTimes> times = new TreeMap<>();
        forks.forEach((round, latency) -> times.put(round, latency.times()));
        return times;
    }

    private static SortedMap<Integer, Double> micros(SortedMap<Integer, ResponseTimes> times, double percentile) {
        SortedMap<Integer, Double> micros = new TreeMap<>();
        times.forEach((round, one) -> micros.put(round, one.micros(percentile)));
        return micros;
    }

    /** The interval of a ratio to 1 is that of the values. */
    private static Optional<PairedRatio> interval(SortedMap<Integer, Double> values) {
        SortedMap<Integer, Double> ones = new TreeMap<>(values);
        ones.replaceAll((round, value) -> 1.0);
        return PairedRatio.of(values, ones, true);
    }

    /** Returns the usual name of a percentile: {@code p99.9}. */
    public static String name(double percentile) {
        return "p" + Format.plain(percentile);
    }

    /** {@code 12.3 [11.0, 14.0]}. */
    public static String text(Quantile quantile) {
        PairedRatio forks = quantile.forks();
        String value = Format.score(quantile.micros());
        return forks.n() == 1
                ? value
                : value + " [" + Format.score(forks.low()) + ", " + Format.score(forks.high()) + "]";
    }

    /** The line's quantile at this percentile, where it has one. */
    public static Optional<Quantile> at(Line line, double percentile) {
        return line.quantiles().stream()
                .filter(quantile -> quantile.percentile() == percentile)
                .findFirst();
    }

    /** Returns how many times better ours is than the subject at the 99th percentile, or {@link Format#NONE}. */
    public static String ratio(Line line) {
        return at(line, 99).map(quantile -> Format.ratio(quantile.ratio())).orElse(Format.NONE);
    }

    /** Returns a remark about a subject that did not keep the rate; empty if it did. */
    public static Optional<String> remark(Line line) {
        return line.held()
                ? Optional.empty()
                : Optional.of("did not keep the rate: " + Format.percent(line.percentMade())
                        + " of the calls were made; the others count with the time that they had waited");
    }

    private record Key(String workload, SortedMap<String, String> params, int threads) {
        static Key of(ForkResult fork) {
            return new Key(fork.workload(), fork.params(), fork.threads());
        }
    }

    private record Side(String subject, Build build) {}
}
