package dev.touchstone.index;

import java.util.HashMap;
import java.util.Map;

/** A look-up of the rows of a draft by id: a scan for each id if there are few to look up, else a map of all rows. Not thread-safe. */
final class RowFinder {
    private static final int FEW = 64;

    private final SegmentDraft draft;
    private final boolean isMapped;
    private final Map<String, Integer> rows = new HashMap<>(); // all rows, or only those that were added or removed

    RowFinder(SegmentDraft draft, int wanted) {
        this.draft = draft;
        isMapped = wanted > FEW;
        for (int row = 0; isMapped && row < draft.count(); row++) {
            rows.put(draft.id(row), row);
        }
    }

    /** Returns the row of an id, or -1 if there is none. */
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
