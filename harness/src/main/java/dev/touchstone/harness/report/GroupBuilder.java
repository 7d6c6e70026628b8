package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Matrix.Ceiling;
import dev.touchstone.harness.run.Matrix.Subject;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sorts a run's forks into groups and rows. One builder serves one comparison. */
final class GroupBuilder {
    private static final Subject UNNAMED = new Subject("", "", null, "");

    private final Matrix matrix;
    /** The fork of each round that counts, by workload, parameters, threads and subject. */
    private final Map<Key, SortedMap<Integer, ForkResult>> cells = new LinkedHashMap<>();

    GroupBuilder(Matrix matrix, List<ForkResult> forks) {
        this.matrix = matrix;
        for (ForkResult fork : CountedForks.counted(forks)) {
            if (fork.build() != Build.OWN) {
                continue; // what another build did is told by Changes
            }
            Key key = new Key(fork.workload(), fork.params(), fork.threads(), fork.subject());
            cells.computeIfAbsent(key, unused -> new TreeMap<>()).put(fork.round(), fork);
        }
    }

    List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        for (Workload workload : matrix.workloads()) {
            for (SortedMap<String, String> params : paramsOf(workload)) {
                for (int threads : threadsOf(workload, params)) {
                    groups.add(group(workload, params, threads));
                }
            }
        }
        return List.copyOf(groups);
    }

    private List<SortedMap<String, String>> paramsOf(Workload workload) {
        return comparedKeys(workload)
                .map(Key::params)
                .distinct()
                .sorted(Comparator.comparing(Object::toString))
                .toList();
    }

    private Collection<Integer> threadsOf(Workload workload, SortedMap<String, String> params) {
        TreeSet<Integer> threads = new TreeSet<>();
        comparedKeys(workload).filter(key -> key.params.equals(params)).forEach(key -> threads.add(key.threads));
        return threads;
    }

    /** A ceiling may be measured with other threads than the subjects, so it makes no group by itself. */
    private Stream<Key> comparedKeys(Workload workload) {
        return cells.keySet().stream()
                .filter(key -> key.workload.equals(workload.id()))
                .filter(key ->
                        key.subject.equals(workload.ours()) || workload.peers().contains(key.subject));
    }

    private Group group(Workload workload, SortedMap<String, String> params, int threads) {
        SortedMap<Integer, ForkResult> ours = forks(workload, params, threads, workload.ours());
        Optional<Metric> sample = sample(workload, params, threads);
        boolean higher = sample.map(Metric::higherIsBetter).orElse(true);
        List<Row> rows = new ArrayList<>();
        rows.add(row(workload, workload.ours(), Row.Kind.OURS, ours, ours, 1, ""));
        for (String peer : workload.peers()) {
            rows.add(row(workload, peer, Row.Kind.PEER, ours, forks(workload, params, threads, peer), 1, ""));
        }
        Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            rows.add(ceiling(workload, ceiling, params, threads, higher, ours));
        }
        return new Group(
                workload,
                params,
                threads,
                sample.map(Metric::unit).orElse(""),
                higher,
                RulerText.median(List.copyOf(ours.values()), workload.rulerKind())
                        .orElse(null),
                Collections.unmodifiableList(rows));
    }

    private Row ceiling(
            Workload workload,
            Ceiling ceiling,
            SortedMap<String, String> params,
            int threads,
            boolean higher,
            SortedMap<Integer, ForkResult> ours) {
        int measuredWith = ceiling.threads() == 0 ? threads : ceiling.threads();
        double times = ceiling.timesThreads() && measuredWith > 0 ? Math.max(1, threads / (double) measuredWith) : 1;
        SortedMap<Integer, ForkResult> forks = forks(workload, params, measuredWith, ceiling.subject());
        String condition = measuredWith == threads ? "" : measuredWith(measuredWith, times);
        return row(workload, ceiling.subject(), Row.Kind.CEILING, ours, forks, higher ? times : 1 / times, condition);
    }

    private static String measuredWith(int threads, double times) {
        if (times != 1) {
            return " ×" + Format.score(times);
        }
        return " (" + threads + (threads == 1 ? " thread)" : " threads)");
    }

    private Optional<Metric> sample(Workload workload, SortedMap<String, String> params, int threads) {
        List<String> subjects = new ArrayList<>(List.of(workload.ours()));
        subjects.addAll(workload.peers());
        return subjects.stream()
                .flatMap(subject -> forks(workload, params, threads, subject).values().stream())
                .map(ForkResult::primary)
                .flatMap(metric -> Optional.ofNullable(metric).stream())
                .findFirst();
    }

    private SortedMap<Integer, ForkResult> forks(
            Workload workload, SortedMap<String, String> params, int threads, String subject) {
        return cells.getOrDefault(new Key(workload.id(), params, threads, subject), new TreeMap<>());
    }

    private Row row(
            Workload workload,
            String name,
            Row.Kind kind,
            SortedMap<Integer, ForkResult> ours,
            SortedMap<Integer, ForkResult> forks,
            double factor,
            String condition) {
        Subject subject = matrix.subjects().getOrDefault(name, UNNAMED);
        SortedMap<Integer, Double> scores = new TreeMap<>();
        new Scores(forks).primary().forEach((round, score) -> scores.put(round, score * factor));
        List<ForkResult> failures =
                forks.values().stream().filter(fork -> !fork.ok()).toList();
        return new Row(
                name,
                kind,
                subject.label().isEmpty() ? name : subject.label(),
                subject.level() + condition,
                Collections.unmodifiableSortedMap(scores),
                scores.isEmpty() ? null : Summary.of(List.copyOf(scores.values())),
                kind == Row.Kind.OURS ? null : ratio(ours, forks, scores),
                new Scores(forks).perOperation(workload.perOperation()),
                new Scores(forks).secondary(workload.perOperation().values()),
                (int) forks.values().stream()
                        .filter(fork -> fork.ok() && fork.dirty() != null)
                        .count(),
                failures.size(),
                failures.isEmpty() ? null : reason(failures.get(failures.size() - 1)));
    }

    private static @Nullable PairedRatio ratio(
            SortedMap<Integer, ForkResult> ours, SortedMap<Integer, ForkResult> theirs, Map<Integer, Double> scores) {
        Optional<Metric> mine = new Scores(ours).sample();
        Optional<Metric> other = new Scores(theirs).sample();
        boolean alike = mine.isPresent()
                && other.isPresent()
                && mine.get().unit().equals(other.get().unit())
                && mine.get().mode().equals(other.get().mode());
        // Figures of unlike modes or units have no ratio.
        return alike
                ? PairedRatio.of(new Scores(ours).primary(), scores, mine.get().higherIsBetter())
                        .orElse(null)
                : null;
    }

    private static String reason(ForkResult fork) {
        return fork.error() == null ? "no score" : fork.error();
    }

    private record Key(String workload, SortedMap<String, String> params, int threads, String subject) {}
}
