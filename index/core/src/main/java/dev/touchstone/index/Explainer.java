package dev.touchstone.index;

import java.util.ArrayList;
import java.util.List;

/** A factory of {@link Explanation}s, which tests each price of the offering. */
final class Explainer {
    private Explainer() {}

    static Explanation explain(Snapshot snapshot, Engine engine, EngineType type, PriceQuery query) {
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
        for (Segment segment : segments) {
            prices += segment.total();
            count(snapshot, query, segment, alone, remaining);
        }
        List<Explanation.Step> steps = new ArrayList<>();
        steps.add(new Explanation.Step("offering = " + (offering == null ? "any" : offering), prices, prices));
        for (int i = 0; i < query.size(); i++) {
            steps.add(new Explanation.Step(query.shown(i), alone[i], remaining[i]));
        }
        Plan plan = isPossible && segments.length > 0 ? engine.plan(query, segments[0]) : Plan.NOTHING;
        return new Explanation(snapshot.version(), type, plan, steps);
    }

    private static void count(Snapshot snapshot, PriceQuery query, Segment segment, long[] alone, long[] remaining) {
        segment.forEach((block, row, ordinal) -> {
            Price price = snapshot.price(block, row, null); // no condition asks for the payload
            boolean isLeft = true;
            for (int i = 0; i < query.size(); i++) {
                boolean holds = query.holds(i, price);
                alone[i] += holds ? 1 : 0;
                isLeft &= holds;
                remaining[i] += isLeft ? 1 : 0;
            }
        });
    }
}
