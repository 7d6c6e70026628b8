package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of a run: which forks are recorded, which of them were disturbed, how long each cell takes, and which cells are given up. A
 * fork that failed in an earlier session is run once more. Not thread-safe.
 */
final class RecordedForks {
    /** A cell whose first forks all failed fails for a reason that another round will not mend. */
    private static final int FAILURES_TO_GIVE_UP = 2;

    private static final int ATTEMPTS = 2;
    /** No more than half of the forks are run again for the noise: on a machine that is never quiet there is no end to it. */
    private static final int RERUN_SHARE = 2;

    private final Set<Key> recorded = new HashSet<>();
    private final Set<Key> dirty = new HashSet<>();
    private final Set<Key> failed = new HashSet<>();
    private final Set<Key> toRetry = new HashSet<>();
    private final Map<Side, Long> plannedMillis = new HashMap<>();
    private final Map<Side, Long> slowestMillis = new HashMap<>();
    private final Map<Side, Integer> failures = new HashMap<>();
    private final Set<Side> succeeded = new HashSet<>();
    private final Duration earlier;
    private final int mostReruns;

    RecordedForks(Plan plan, List<ForkResult> earlierForks) {
        mostReruns = plan.forksPerRound() * plan.settings().maxRounds() / RERUN_SHARE;
        for (List<ForkSpec> comparison : plan.comparisons()) {
            comparison.forEach(
                    fork -> plannedMillis.put(Key.of(fork).side, fork.expected().toMillis()));
        }
        earlierForks.forEach(this::add);
        failures.clear();
        for (Key key : failed) {
            long attempts = earlierForks.stream()
                    .filter(fork -> key.equals(Key.of(fork)))
                    .count();
            if (attempts < ATTEMPTS) {
                toRetry.add(key);
            } else {
                failures.merge(key.side, 1, Integer::sum);
            }
        }
        earlier = Duration.ofMillis(
                earlierForks.stream().mapToLong(ForkResult::wallMillis).sum());
    }

    void add(ForkResult fork) {
        Key key = Key.of(fork);
        recorded.add(key);
        toRetry.remove(key);
        slowestMillis.merge(key.side, fork.wallMillis(), Math::max);
        if (fork.dirty() != null) {
            dirty.add(key);
        }
        if (fork.ok()) {
            succeeded.add(key.side);
            failed.remove(key);
        } else {
            failures.merge(key.side, 1, Integer::sum);
            failed.add(key);
        }
    }

    /**
     * The forks of a comparison that are neither recorded nor given up; where all are and one was disturbed, all of them once more.
     *
     * @param reruns how often that may be
     */
    List<ForkSpec> pending(List<ForkSpec> comparison, int reruns) {
        boolean builds = comparison.stream().anyMatch(fork -> fork.build() != Build.OWN);
        if (builds && comparison.stream().anyMatch(this::givenUp)) {
            return List.of(); // one side alone tells nothing
        }
        for (int rerun = lastRerun(comparison); rerun <= reruns; rerun++) {
            List<ForkSpec> forks = again(comparison, rerun);
            List<ForkSpec> missing = forks.stream().filter(this::isPending).toList();
            if (!missing.isEmpty()) {
                return missing;
            }
            boolean disturbed = forks.stream().anyMatch(fork -> dirty.contains(Key.of(fork)));
            if (!disturbed || rerunForks() + forks.size() > mostReruns) {
                break;
            }
        }
        return List.of();
    }

    private int lastRerun(List<ForkSpec> comparison) {
        int last = 0;
        while (again(comparison, last + 1).stream().anyMatch(fork -> recorded.contains(Key.of(fork)))) {
            last++;
        }
        return last;
    }

    private static List<ForkSpec> again(List<ForkSpec> comparison, int rerun) {
        return comparison.stream().map(fork -> fork.again(rerun)).toList();
    }

    private boolean isPending(ForkSpec fork) {
        Key key = Key.of(fork);
        return !givenUp(fork) && (toRetry.contains(key) || !recorded.contains(key));
    }

    private boolean givenUp(ForkSpec fork) {
        Side side = Key.of(fork).side;
        return failures.getOrDefault(side, 0) >= FAILURES_TO_GIVE_UP && !succeeded.contains(side);
    }

    /**
     * Expected time of these forks: the slowest that each cell has shown; for cells not seen yet what their plan says, as many times as those seen
     * took longer than theirs.
     */
    Duration expected(List<ForkSpec> forks) {
        double slower = slower();
        long millis = 0;
        for (ForkSpec fork : forks) {
            Long seen = slowestMillis.get(Key.of(fork).side);
            millis += seen != null ? seen : Math.round(slower * fork.expected().toMillis());
        }
        return Duration.ofMillis(millis);
    }

    private double slower() {
        long seen = 0;
        long planned = 0;
        for (Map.Entry<Side, Long> side : slowestMillis.entrySet()) {
            Long plan = plannedMillis.get(side.getKey());
            if (plan != null) {
                seen += side.getValue();
                planned += plan;
            }
        }
        return planned == 0 ? 1 : (double) seen / planned;
    }

    /** Time that earlier sessions of this run took. */
    Duration earlier() {
        return earlier;
    }

    private long rerunForks() {
        return recorded.stream().filter(key -> key.rerun > 0).count();
    }

    /** Forks whose last attempt gave no score. */
    int failed() {
        return failed.size();
    }

    /** A build's forks of a cell. */
    private record Side(Build build, String cell) {}

    private record Key(Side side, int round, int rerun) {
        static Key of(ForkResult fork) {
            return new Key(new Side(fork.build(), fork.cell()), fork.round(), fork.rerun());
        }

        static Key of(ForkSpec fork) {
            return new Key(new Side(fork.build(), fork.cell().id()), fork.round(), fork.rerun());
        }
    }
}
