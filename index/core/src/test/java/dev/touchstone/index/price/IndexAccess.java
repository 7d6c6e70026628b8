package dev.touchstone.index.price;

import dev.touchstone.index.engine.BoundQuery;
import dev.touchstone.index.engine.Snapshot;

/** Methods that let tests of the engine reach it through an index. */
public final class IndexAccess {
    private IndexAccess() {}

    /** Returns the current version of an index. */
    public static Snapshot snapshot(PriceIndex index) {
        return index.snapshot();
    }

    /** Returns what a query holds for the engine. */
    public static BoundQuery bound(PriceQuery query) {
        return query.bound;
    }

    /** Sets the sizes of the blocks of an index, so that few prices make many blocks. */
    public static PriceIndexBuilder blocks(PriceIndexBuilder builder, int smallRows, int maxRows) {
        return builder.blocks(smallRows, maxRows);
    }
}
