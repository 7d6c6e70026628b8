package dev.touchstone.index.engine;

/** Methods that let tests of prices see and change how the engine searches. */
public final class QueryAccess {
    private QueryAccess() {}

    /** Lets a query be searched as if all offerings had many prices, so that no plan scans them. */
    public static void neverScan(BoundQuery query) {
        query.search.mostScanned = 0;
    }

    /** Returns the ordinals of the fields that make a price specific, the one that decides first in front. */
    public static int[] precedence(BoundQuery query) {
        return query.precedence();
    }

    /** Returns the number of conditions, those on nested queries left out. */
    public static int size(BoundQuery query) {
        return query.size();
    }
}
