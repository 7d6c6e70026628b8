package dev.touchstone.harness.report;

import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.stats.ChangePoints;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.Annotations;
import dev.touchstone.harness.store.Annotations.Annotation;
import dev.touchstone.harness.store.Annotations.Kind;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The nights of one machine, cell by cell, as speeds in units of the machine's own work of that night, so that a machine that became slower is no
 * change of the code. Immutable.
 *
 * @param lines cells that have been measured in two nights at least
 * @param passedOver recorded nights that could not be read
 */
public record History(List<Line> lines, int passedOver) {
    /** Nights that the last one is held against. */
    static final int WINDOW = 14;

    private static final int DAYS_NEAR = 2;

    /**
     * Returns the history of nights, which are given in the order in which they were measured.
     *
     * @param passedOver number of further nights that could not be read
     */
    public static History of(List<ReportInput> nights, Annotations annotations, int passedOver) {
        Map<String, List<Night>> byCell = new LinkedHashMap<>();
        Map<String, ReferenceLoad.Kind> kinds = new LinkedHashMap<>();
        for (ReportInput night : nights) {
            Map<String, ReferenceLoad.Kind> ofWorkload = new LinkedHashMap<>();
            night.matrix().workloads().forEach(workload -> ofWorkload.put(workload.id(), workload.rulerKind()));
            forks(night).forEach((cell, forks) -> {
                ReferenceLoad.Kind kind = ofWorkload.getOrDefault(forks.get(0).workload(), ReferenceLoad.Kind.CPU);
                night(night, forks, kind).ifPresent(measured -> {
                    kinds.put(cell, kind);
                    byCell.computeIfAbsent(cell, unused -> new ArrayList<>()).add(measured);
                });
            });
        }
        List<Line> lines = new ArrayList<>();
        byCell.forEach((cell, all) -> {
            List<Night> comparable = sinceTheBenchmarkChanged(all, annotations.of(cell, Kind.BENCHMARK));
            if (comparable.size() > 1) {
                lines.add(line(cell, kinds.getOrDefault(cell, ReferenceLoad.Kind.CPU), comparable, annotations));
            }
        });
        return new History(List.copyOf(lines), passedOver);
    }

    private static Map<String, List<ForkResult>> forks(ReportInput night) {
        Map<String, List<ForkResult>> byCell = new LinkedHashMap<>();
        night.forks().stream()
                .filter(fork -> fork.ok() && fork.dirty() == null && fork.build() != Build.BASELINE)
                .forEach(fork -> byCell.computeIfAbsent(fork.cell(), cell -> new ArrayList<>())
                        .add(fork));
        return byCell;
    }

    private static Optional<Night> night(ReportInput run, List<ForkResult> forks, ReferenceLoad.Kind kind) {
        List<Metric> scores = forks.stream()
                .flatMap(fork -> Optional.ofNullable(fork.primary()).stream())
                .toList();
        double median = Summary.of(scores.stream().map(Metric::score).toList()).median();
        Metric any = scores.get(0);
        String day = run.run().startedAt().substring(0, "yyyy-mm-dd".length());
        return RulerText.median(forks, kind).filter(ruler -> median > 0).map(ruler -> {
            double speed = any.higherIsBetter() ? median * ruler : ruler / median;
            return new Night(LocalDate.parse(day), run.run().commit(), median, any.unit(), speed);
        });
    }

    /** Nights with the last one's unit, from the last change of the benchmark on. */
    private static List<Night> sinceTheBenchmarkChanged(List<Night> nights, List<Annotation> changes) {
        Night last = nights.get(nights.size() - 1);
        LocalDate from = changes.stream()
                .map(change -> LocalDate.parse(change.day()))
                .filter(day -> !day.isAfter(last.day))
                .max(LocalDate::compareTo)
                .orElse(LocalDate.MIN);
        return nights.stream()
                .filter(night -> !night.day.isBefore(from) && night.unit.equals(last.unit))
                .toList();
    }

    private static Line line(String cell, ReferenceLoad.Kind kind, List<Night> nights, Annotations annotations) {
        double[] logs =
                nights.stream().mapToDouble(night -> Math.log(night.speed)).toArray();
        List<Integer> points = ChangePoints.of(logs);
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            int from = i == 0 ? 0 : points.get(i - 1);
            int at = points.get(i);
            int to = i + 1 < points.size() ? points.get(i + 1) : nights.size();
            double ratio = level(nights.subList(at, to)) / level(nights.subList(from, at));
            shifts.add(new Shift(at, ratio, near(nights.get(at).day, cell, annotations)));
        }
        int last = nights.size() - 1;
        double window = level(nights.subList(Math.max(0, last - WINDOW), last));
        return new Line(cell, kind, nights, List.copyOf(shifts), nights.get(last).speed / window);
    }

    private static List<String> near(LocalDate day, String cell, Annotations annotations) {
        return Stream.of(Kind.CODE, Kind.MACHINE)
                .flatMap(kind -> annotations.of(cell, kind).stream())
                .filter(annotation ->
                        Math.abs(LocalDate.parse(annotation.day()).toEpochDay() - day.toEpochDay()) <= DAYS_NEAR)
                .map(annotation -> annotation.kind().name().toLowerCase(Locale.ROOT) + ": " + annotation.text())
                .toList();
    }

    private static double level(List<Night> nights) {
        return Summary.of(nights.stream().map(Night::speed).toList()).median();
    }

    /**
     * A cell with its nights.
     *
     * @param kind the machine's own work that the speeds are relative to
     * @param shifts where the level changed for good
     * @param lastToWindow the last night's speed to the median of up to 14 nights before it; above 1 it was faster
     */
    public record Line(
            String cell, ReferenceLoad.Kind kind, List<Night> nights, List<Shift> shifts, double lastToWindow) {}

    /**
     * A cell's result of one night.
     *
     * @param score median over the forks that nothing disturbed
     * @param speed operations in the time of one piece of the machine's own work
     */
    public record Night(LocalDate day, String commit, double score, String unit, double speed) {}

    /**
     * A change of level.
     *
     * @param at index of the first night of the new level
     * @param ratio of the levels, above 1 where it became faster
     * @param remarks what is known of the days around it
     */
    public record Shift(int at, double ratio, List<String> remarks) {}
}
