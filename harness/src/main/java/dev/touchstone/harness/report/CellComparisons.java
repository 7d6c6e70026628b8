package dev.touchstone.harness.report;

import dev.touchstone.harness.report.Judge.Contest;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the two sides of every cell of a run, or of two. Pure functions. */
final class CellComparisons {
    private CellComparisons() {}

    /** Pairs the run's own build with another that ran beside it: by their scores, and by each further {@link Witness} that both have. */
    static List<Contest> builds(List<ForkResult> forks, Build other, String against, Limits limits) {
        List<Contest> contests = new ArrayList<>();
        Map<String, List<ForkResult>> theirs = byCell(forks, fork -> fork.build() == other);
        byCell(forks, fork -> fork.build() == Build.OWN).forEach((cell, ours) -> {
            List<ForkResult> others = theirs.getOrDefault(cell, List.of());
            if (!others.isEmpty()) {
                contests.add(contest(cell, against, ours, others, Pairs.beside(ours, others), limits));
                for (Witness witness : Witness.values()) {
                    if (ours.stream().anyMatch(witness::isIn) && others.stream().anyMatch(witness::isIn)) {
                        List<ForkResult> mine = witness.scores(ours);
                        List<ForkResult> beside = witness.scores(others);
                        contests.add(contest(
                                cell + " " + witness.label, against, mine, beside, Pairs.beside(mine, beside), limits));
                    }
                }
            }
        });
        return contests;
    }

    /** Returns the id of the cell that a contest is about. */
    static String cell(Contest contest) {
        int end = Change.witnessAt(contest.cell());
        return end < 0 ? contest.cell() : contest.cell().substring(0, end);
    }

    /** Returns whether a contest is about the scores of its cell, and not about another witness. */
    static boolean isOfScores(Contest contest) {
        return cell(contest).equals(contest.cell());
    }

    /**
     * Returns how many contests of builds there may be of these cells.
     *
     * @param counted whether the kernel counts what each fork does
     */
    static int builds(List<String> cells, boolean counted) {
        return cells.size() * (counted ? Witness.values().length : 1)
                + (int) cells.stream()
                        .filter(cell -> cell.contains("/" + Cell.RATE + "="))
                        .count();
    }

    /** Pairs ours with each peer of a run. */
    static List<Contest> peers(ReportInput input, Limits limits) {
        Map<String, List<ForkResult>> own = byCell(input.forks(), fork -> fork.build() == Build.OWN);
        List<Contest> contests = new ArrayList<>();
        for (Workload workload : input.matrix().workloads()) {
            own.forEach((cell, ours) -> {
                if (is(workload, workload.ours(), ours)) {
                    for (String peer : workload.peers()) {
                        List<ForkResult> theirs = own.getOrDefault(beside(cell, peer), List.of());
                        if (!theirs.isEmpty()) {
                            contests.add(contest(cell, peer, ours, theirs, Pairs.beside(ours, theirs), limits));
                        }
                    }
                }
            });
        }
        return contests;
    }

    /** Returns the id of the cell that differs from this one in its subject. */
    private static String beside(String cell, String subject) {
        return group(cell) + subject;
    }

    private static String group(String cell) {
        return cell.substring(0, cell.lastIndexOf('/') + 1);
    }

    /** Returns the cells of peers among these. */
    static Set<String> peerCells(List<String> cells, Matrix matrix) {
        Map<String, List<String>> peers =
                matrix.workloads().stream().collect(Collectors.toMap(Workload::id, Workload::peers));
        return cells.stream()
                .filter(cell -> peers.getOrDefault(workload(cell), List.of())
                        .contains(cell.substring(group(cell).length())))
                .collect(Collectors.toSet());
    }

    private static String workload(String cell) {
        return cell.substring(0, cell.indexOf('/'));
    }

    /**
     * Returns the cells that need no forks once these contests are over: their peers, ours where all peers beside it are among them, and a ceiling
     * where all peers of its workload are.
     */
    static Set<String> over(ReportInput input, List<Contest> contests) {
        Map<String, String> ours =
                input.matrix().workloads().stream().collect(Collectors.toMap(Workload::id, Workload::ours));
        Set<String> peers = peerCells(input.run().cells(), input.matrix());
        Set<String> open = new HashSet<>(peers);
        contests.forEach(contest -> open.remove(beside(contest.cell(), contest.against())));
        return input.run().cells().stream()
                .filter(cell -> {
                    boolean own = cell.equals(beside(cell, ours.getOrDefault(workload(cell), "")));
                    String needed = peers.contains(cell) ? cell : own ? group(cell) : workload(cell) + "/";
                    return open.stream().noneMatch(peer -> peer.startsWith(needed));
                })
                .collect(Collectors.toSet());
    }

    /** Pairs the cells that two runs have. The machine's own drift between the runs is no effect, so it raises the floor. */
    static List<Contest> runs(ReportInput older, ReportInput newer, Limits limits) {
        Map<String, List<ForkResult>> theirs = byCell(older.forks(), fork -> fork.build() == Build.OWN);
        List<Contest> contests = new ArrayList<>();
        byCell(newer.forks(), fork -> fork.build() == Build.OWN).forEach((cell, ours) -> {
            List<ForkResult> others = theirs.getOrDefault(cell, List.of());
            if (!others.isEmpty()) {
                ReferenceLoad.Kind kind = rulerKind(newer, ours.get(0).workload());
                double drift = driftPercent(older.forks(), newer.forks(), kind).orElse(0.0);
                Limits raised = new Limits(any -> Math.max(limits.floor(cell), drift), limits.marginPercent());
                contests.add(contest(cell, older.run().commit(), ours, others, Pairs.apart(ours, others), raised));
            }
        });
        return contests;
    }

    /**
     * Returns by how many percent the machine's own work took longer in the second run than in the first; empty if either run has not measured it.
     */
    static Optional<Double> driftPercent(List<ForkResult> one, List<ForkResult> other, ReferenceLoad.Kind kind) {
        return RulerText.median(one, kind)
                .flatMap(first -> RulerText.median(other, kind).map(second -> percent(Math.log(second / first))));
    }

    /** A difference of logarithms as a share, whichever way it goes. */
    static double percent(double log) {
        return 100 * Math.expm1(Math.abs(log));
    }

    private static ReferenceLoad.Kind rulerKind(ReportInput input, String workload) {
        return input.matrix().workloads().stream()
                .filter(candidate -> candidate.id().equals(workload))
                .map(Workload::rulerKind)
                .findFirst()
                .orElse(ReferenceLoad.Kind.CPU);
    }

    private static boolean is(Workload workload, String subject, List<ForkResult> forks) {
        ForkResult any = forks.get(0);
        return any.workload().equals(workload.id()) && any.subject().equals(subject);
    }

    private static Contest contest(
            String cell, String against, List<ForkResult> ours, List<ForkResult> theirs, Pairs pairs, Limits limits) {
        Optional<Metric> mine = sample(ours);
        Optional<Metric> other = sample(theirs);
        boolean higher = mine.or(() -> other).map(Metric::higherIsBetter).orElse(true);
        String failure = failure(ours, theirs, mine.orElse(null), other.orElse(null));
        boolean ownFailed = mine.isEmpty();
        return new Contest(
                cell,
                against,
                mine.or(() -> other).map(Metric::unit).orElse(""),
                higher,
                failure == null ? pairs : pairs.within(round -> false),
                limits.floor(cell),
                limits.marginPercent(),
                failure,
                ownFailed,
                failure == null ? failedForks(ours, theirs) : null);
    }

    private static @Nullable String failedForks(List<ForkResult> ours, List<ForkResult> theirs) {
        long mine = failed(ours).count();
        long others = failed(theirs).count();
        return Stream.concat(failed(ours), failed(theirs))
                .findFirst()
                .map(fork -> mine + " of " + ours.size() + " forks failed, and " + others + " of " + theirs.size()
                        + " on the other side: " + fork.error())
                .orElse(null);
    }

    private static Stream<ForkResult> failed(List<ForkResult> forks) {
        return forks.stream().filter(fork -> !fork.ok());
    }

    private static @Nullable String failure(
            List<ForkResult> ours, List<ForkResult> theirs, @Nullable Metric mine, @Nullable Metric other) {
        if (mine != null && other != null) {
            boolean alike = mine.unit().equals(other.unit()) && mine.mode().equals(other.mode());
            return alike
                    ? null
                    : "unlike scores: " + mine.mode() + " " + mine.unit() + ", " + other.mode() + " " + other.unit();
        }
        return mine == null ? "no score: " + error(ours) : "no score on the other side: " + error(theirs);
    }

    private static String error(List<ForkResult> forks) {
        return String.valueOf(forks.get(forks.size() - 1).error());
    }

    private static Optional<Metric> sample(List<ForkResult> forks) {
        return forks.stream()
                .flatMap(fork -> Optional.ofNullable(fork.primary()).stream())
                .findFirst();
    }

    private static Map<String, List<ForkResult>> byCell(List<ForkResult> forks, Predicate<ForkResult> wanted) {
        Map<String, List<ForkResult>> cells = new LinkedHashMap<>();
        forks.stream()
                .filter(wanted)
                .forEach(fork -> cells.computeIfAbsent(fork.cell(), cell -> new ArrayList<>())
                        .add(fork));
        return cells;
    }

    /** Quantities beside the score that builds are compared by, each in a row of its own. */
    private enum Witness {
        /** The tail at a fixed rate that is high enough: the score, p99, says nothing of what lies beyond. */
        TAIL("p99.9", Latency.TAIL) {
            @Override
            boolean isIn(ForkResult fork) {
                Latency latency = fork.latency();
                return latency != null && latency.hasTail();
            }

            @Override
            List<ForkResult> scores(List<ForkResult> forks) {
                return scoresOf(forks).toList();
            }
        },
        /** Instructions of an operation, which a busy machine does not change. */
        INSTRUCTIONS("instructions", "instructions"),
        /** Processor time of an operation, which does not grow while others have the processor. */
        PROCESSOR_TIME("processor time", "task-clock");

        private final String label;
        private final String metric;

        Witness(String label, String metric) {
            this.label = label;
            this.metric = metric;
        }

        boolean isIn(ForkResult fork) {
            return fork.secondary().containsKey(metric);
        }

        /** Returns the forks with this quantity as their score; what disturbed them does not disturb a count. */
        List<ForkResult> scores(List<ForkResult> forks) {
            return scoresOf(forks).map(fork -> fork.dirtied(null)).toList();
        }

        Stream<ForkResult> scoresOf(List<ForkResult> forks) {
            return forks.stream().map(fork -> fork.scoredBy(metric));
        }
    }

    /**
     * Limits of the verdicts.
     *
     * @param floorPercent by cell
     * @param marginPercent the same for all cells
     */
    record Limits(ToDoubleFunction<String> floorPercent, double marginPercent) {
        double floor(String cell) {
            return floorPercent.applyAsDouble(cell);
        }
    }
}
