package dev.touchstone.index;

/** The engine of {@link EngineType#OURS}, whose indexes are all in the segments. */
record OurEngine(Snapshot snapshot) implements Engine {
    @Override
    public void search(PriceQuery query, Matches matches) {
        CompiledQuery compiled = query.compiled;
        Segment[] segments = snapshot.segments();
        if (compiled.offering != CompiledQuery.ANY) {
            int number = compiled.offering - 1;
            search(query, segments[number], number, matches);
            return;
        }
        for (int number = 0; number < segments.length && !matches.isEnough(); number++) {
            search(query, segments[number], number, matches);
        }
    }

    private static void search(PriceQuery query, Segment segment, int number, Matches matches) {
        long first = Matches.first(number);
        query.search.search(query.compiled, segment, first, matches);
        if (segment.others != null) {
            first += segment.count;
            for (int i = 0; i < segment.others.length && !matches.isEnough(); i++) {
                Segment block = segment.others[i];
                query.search.search(query.compiled, block, first, matches);
                first += block.count;
            }
        }
    }

    @Override
    public Plan plan(PriceQuery query, Segment segment) {
        return query.search.plan(query.compiled, segment);
    }
}
