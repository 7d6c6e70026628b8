package dev.touchstone.queue.replicated.storage;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of the log at a moment, and the runs that hold them. Immutable, but for the last run, which grows.
 *
 * <p>A run holds the indexes from its first one up to that of the next run; frames of a run behind that were cut off.
 *
 * @param first the first index of the log; frames of lower indexes are not of the log any more
 * @param runs the runs in the order of their first indexes, each with an entry of the log, but the last, which may be empty; none for a log
 *     that has no file yet
 */
record LogView(long first, List<LogRun> runs) {
    /** View of a storage that is not open. */
    static final LogView CLOSED = new LogView(1, List.of());

    /** Copies the list. */
    LogView {
        runs = List.copyOf(runs);
    }

    /** Returns the last index of the log, which is {@code first - 1} if the log has no entry. */
    long last() {
        return runs.isEmpty() ? first - 1 : runs.get(runs.size() - 1).endIndex() - 1;
    }

    /** Returns the run that holds an index, or null if the log does not have it. */
    @Nullable
    LogRun run(long index) {
        if (index < first || index > last()) {
            return null;
        }
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) { // the last run that begins at the index or before
            int middle = (low + high + 1) >>> 1;
            if (runs.get(middle).firstIndex() <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return runs.get(low);
    }

    /** Returns the segments of the runs. */
    Set<SegmentFile> segments() {
        Set<SegmentFile> segments = new LinkedHashSet<>();
        runs.forEach(run -> segments.add(run.segment()));
        return segments;
    }
}
