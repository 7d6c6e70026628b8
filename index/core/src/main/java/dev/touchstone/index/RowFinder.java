package dev.touchstone.index;

import java.util.HashMap;
import java.util.Map;

/** Rows of a draft by id: looked for one by one if few are wanted, else in a map of all. Not thread-safe. */
final class RowFinder {
    private static final int FEW = 64;

    private final SegmentDraft draft;
    private final boolean isMapped;
    private final Map<String, Integer> rows = new HashMap<>(); // of all, or of those that were added or removed

    RowFinder(SegmentDraft draft, int wanted) {
        this.draft = draft;
        isMapped = wanted > FEW;
        for (int row = 0; isMapped && row < draft.count(); row++) {
            rows.put(draft.id(row), row);
        }
    }

    /** The row of an id, or -1. */
    int find(String id) {
        Integer row = rows.get(id);
        if (row != null) {
            return row;
        }
        return isMapped ? -1 : draft.find(id);
    }

    void add(String id, int row) {
        rows.put(id, row);
    }

    void forget(String id) {
        rows.put(id, -1);
    }
}
