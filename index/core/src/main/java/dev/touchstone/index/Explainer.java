package dev.touchstone.index;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** A factory of {@link Explanation}s, which tests the codes of each row of the offering, and makes no price. */
final class Explainer {
    private static final int ROWS_BETWEEN_CHECKS = 256;

    private Explainer() {}

    static Explanation explain(Snapshot snapshot, PriceQuery query, BooleanSupplier isStopped) {
        boolean isPossible = query.bind(snapshot.codes());
        String offering = query.offeringText();
        Segment[] segments = snapshot.segments();
        if (offering != null) {
            Segment first = snapshot.segment(offering);
            segments = first == null ? new Segment[0] : new Segment[] {first};
        }
        long prices = 0;
        long[] alone = new long[query.size()];
        long[] remaining = new long[query.size()];
        NavigableMap<Long, Long> ranks = new TreeMap<>();
        for (Segment segment : segments) {
            prices += segment.total();
            count(query, segment, alone, remaining, ranks, isStopped);
        }
        List<Explanation.Step> steps = new ArrayList<>();
        steps.add(new Explanation.Step("offering = " + (offering == null ? "any" : offering), prices, prices));
        for (int i = 0; i < query.size(); i++) {
            steps.add(new Explanation.Step(query.shown(i), alone[i], remaining[i]));
        }
        Plan plan = isPossible && segments.length > 0 ? query.search.plan(query.compiled, segments[0]) : Plan.NOTHING;
        return new Explanation(snapshot.version(), plan, steps, named(ranks, query));
    }

    /** Returns ranks with the names of their fields, the most specific first. */
    private static List<Explanation.Rank> named(NavigableMap<Long, Long> ranks, PriceQuery query) {
        int[] precedence = query.precedence();
        List<Explanation.Rank> named = new ArrayList<>();
        ranks.descendingMap().forEach((rank, matches) -> {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < precedence.length; i++) {
                if ((rank >>> (precedence.length - 1 - i) & 1) != 0) {
                    fields.add(query.fields.list.get(precedence[i]).name());
                }
            }
            named.add(new Explanation.Rank(fields, matches));
        });
        return named;
    }

    private static void count(
            PriceQuery asked,
            Segment segment,
            long[] alone,
            long[] remaining,
            NavigableMap<Long, Long> ranks,
            BooleanSupplier isStopped) {
        CompiledQuery query = asked.compiled;
        boolean isRanked = asked.policy() == MatchPolicy.SPECIFIC;
        segment.forEach((block, row, ordinal) -> {
            if (ordinal % ROWS_BETWEEN_CHECKS == 0 && isStopped.getAsBoolean()) {
                throw new CancellationException(
                        "explanation was stopped: offering=" + segment.offering + " row=" + ordinal);
            }
            boolean isLeft = true;
            for (int i = 0; i < query.size; i++) {
                boolean holds = query.holds(i, block, row);
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
