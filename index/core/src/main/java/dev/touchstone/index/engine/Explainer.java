package dev.touchstone.index.engine;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A factory of {@link Explanation}s, which tests the codes of each row of the offering, and makes no price. */
public final class Explainer {
    private static final long TESTS_BETWEEN_CHECKS = 256; // of a condition for a row

    private Explainer() {}

    /**
     * Explains how a query of the index is searched in a snapshot.
     *
     * @param isStopped called at least once for every 256 rows, and for every 256 tests of a condition; returns whether to stop
     * @throws CancellationException if {@code isStopped} returned true
     */
    public static Explanation explain(Snapshot snapshot, BoundQuery query, BooleanSupplier isStopped) {
        query.compiled.requireFew();
        CompiledQuery.Group[] groups = query.compiled.groups;
        boolean isPossible = query.bind(snapshot.codes());
        String offering = query.offeringText();
        int[] numbers = offering == null
                ? snapshot.numbers()
                : IntStream.of(snapshot.number(offering))
                        .filter(number -> number >= 0)
                        .toArray();
        long prices = 0;
        long[] alone = new long[query.size() + groups.length];
        long[] remaining = new long[alone.length];
        long[] tests = new long[1]; // that are left until the next check
        NavigableMap<Long, Long> ranks = new TreeMap<>();
        for (int number : numbers) {
            prices += snapshot.segment(number).total(number);
            count(query, snapshot, number, alone, remaining, ranks, tests, isStopped);
        }
        List<Explanation.Step> steps = new ArrayList<>();
        steps.add(new Explanation.Step("offering = " + (offering == null ? "any" : offering), prices, prices));
        for (int i = 0; i < query.size(); i++) {
            steps.add(new Explanation.Step(query.shown(i), alone[i], remaining[i]));
        }
        for (int i = 0; i < groups.length; i++) {
            int at = query.size() + i;
            steps.add(new Explanation.Step(groups[i].toString(), alone[at], remaining[at]));
        }
        Plan plan = isPossible && numbers.length > 0 ? snapshot.plan(query, numbers[0]) : Plan.NOTHING;
        return new Explanation(snapshot.version(), plan, steps, named(ranks, query));
    }

    /** Returns ranks with the names of their fields, the most specific first. */
    private static List<Explanation.Rank> named(NavigableMap<Long, Long> ranks, BoundQuery query) {
        int[] precedence = query.precedence();
        List<Explanation.Rank> named = new ArrayList<>();
        ranks.descendingMap().forEach((rank, matches) -> {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < precedence.length; i++) {
                if ((rank >>> (precedence.length - 1 - i) & 1) != 0) {
                    fields.add(query.fields().list.get(precedence[i]).name());
                }
            }
            named.add(new Explanation.Rank(fields, matches));
        });
        return named;
    }

    private static void count(
            BoundQuery asked,
            Snapshot snapshot,
            int number,
            long[] alone,
            long[] remaining,
            NavigableMap<Long, Long> ranks,
            long[] tests,
            BooleanSupplier isStopped) {
        CompiledQuery query = asked.compiled;
        boolean isRanked = asked.policy() == MatchPolicy.SPECIFIC;
        snapshot.segment(number).forEach(number, (block, row, ordinal) -> {
            if (tests[0] <= 0) {
                if (isStopped.getAsBoolean()) {
                    throw new CancellationException(
                            "explanation was stopped: offering=" + snapshot.offering(number) + " row=" + ordinal);
                }
                tests[0] = TESTS_BETWEEN_CHECKS;
            }
            tests[0] -= Math.max(1, alone.length);
            boolean isLeft = true;
            for (int i = 0; i < alone.length; i++) {
                boolean holds = i < query.size
                        ? query.holds(i, block, row)
                        : query.groups[i - query.size].holds(snapshot.codes(), block, row);
                alone[i] += holds ? 1 : 0;
                isLeft &= holds;
                remaining[i] += isLeft ? 1 : 0;
            }
            if (isLeft && isRanked) {
                ranks.merge(block.rank(row, asked.precedence()), 1L, Long::sum);
                if (ranks.size() > Explanation.MAX_RANKS) {
                    ranks.pollFirstEntry(); // cannot come back: the ranks above it stay
                }
            }
        });
    }
}
