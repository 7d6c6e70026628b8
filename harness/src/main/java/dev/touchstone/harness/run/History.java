package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a run has done so far: which forks are recorded, how long each cell takes, and which cells are given up. A fork that failed in an earlier
 * session is run once more. Not thread-safe.
 */
final class History {
    /** A cell whose first forks all failed fails for a reason that another round will not mend. */
    private static final int FAILURES_TO_GIVE_UP = 2;

    private static final int ATTEMPTS = 2;

    private final Set<String> recorded = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> toRetry = new HashSet<>();
    private final Map<String, List<Long>> wallMillis = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<String> succeeded = new HashSet<>();
    private final Duration earlier;

    History(List<ForkResult> earlierForks) {
        earlierForks.forEach(this::add);
        failures.clear();
        for (String key : failed) {
            long attempts = earlierForks.stream()
                    .filter(fork -> key.equals(key(fork.cell(), fork.round())))
                    .count();
            if (attempts < ATTEMPTS) {
                toRetry.add(key);
            } else {
                failures.merge(key.substring(key.indexOf(' ') + 1), 1, Integer::sum);
            }
        }
        earlier = Duration.ofMillis(
                earlierForks.stream().mapToLong(ForkResult::wallMillis).sum());
    }

    void add(ForkResult fork) {
        String key = key(fork.cell(), fork.round());
        recorded.add(key);
        toRetry.remove(key);
        wallMillis.computeIfAbsent(fork.cell(), cell -> new ArrayList<>()).add(fork.wallMillis());
        if (fork.ok()) {
            succeeded.add(fork.cell());
            failed.remove(key);
        } else {
            failures.merge(fork.cell(), 1, Integer::sum);
            failed.add(key);
        }
    }

    /** The forks that are neither recorded nor given up; comparisons with none left fall away. */
    List<List<ForkSpec>> pending(List<List<ForkSpec>> comparisons) {
        return comparisons.stream()
                .map(comparison -> comparison.stream().filter(this::isPending).toList())
                .filter(comparison -> !comparison.isEmpty())
                .toList();
    }

    private boolean isPending(ForkSpec fork) {
        String cell = fork.cell().id();
        boolean givenUp = failures.getOrDefault(cell, 0) >= FAILURES_TO_GIVE_UP && !succeeded.contains(cell);
        String key = key(cell, fork.round());
        return !givenUp && (toRetry.contains(key) || !recorded.contains(key));
    }

    /** Expected time of these forks: the slowest that each cell has shown, or what its plan says. */
    Duration expected(List<ForkSpec> forks) {
        long millis = 0;
        for (ForkSpec fork : forks) {
            List<Long> seen = wallMillis.getOrDefault(fork.cell().id(), List.of());
            millis += seen.stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(fork.expected().toMillis());
        }
        return Duration.ofMillis(millis);
    }

    /** Time that earlier sessions of this run took. */
    Duration earlier() {
        return earlier;
    }

    int size() {
        return recorded.size();
    }

    /** Forks whose last attempt gave no score. */
    int failed() {
        return failed.size();
    }

    private static String key(String cell, int round) {
        return round + " " + cell;
    }
}
