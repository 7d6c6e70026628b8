package dev.touchstone.index;

/** The engine of {@link EngineType#OURS}, whose indexes are all in the segments. */
record OurEngine(Snapshot snapshot) implements Engine {
    @Override
    public void search(PriceQuery query, Matches matches) {
        CompiledQuery compiled = query.compiled;
        Segment[] segments = snapshot.segments();
        if (compiled.offering != CompiledQuery.ANY) {
            int number = compiled.offering - 1;
            query.search.search(compiled, segments[number], number, matches);
            return;
        }
        for (int number = 0; number < segments.length && !matches.isEnough(); number++) {
            query.search.search(compiled, segments[number], number, matches);
        }
    }

    @Override
    public Plan plan(PriceQuery query, Segment segment) {
        return query.search.plan(query.compiled, segment);
    }
}
