package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What a log holds: its first index, and a description of each entry.
 *
 * @param first the first index
 * @param entries descriptions in the order of the indexes, from {@code first} on
 */
record LogContent(long first, List<String> entries) {
    static final LogContent EMPTY = new LogContent(1, List.of());

    LogContent {
        entries = List.copyOf(entries);
    }

    /** Reads all entries of a storage, and checks that the ways to ask for them agree. */
    static LogContent of(SegmentLogStorage storage, String what) {
        TreeMap<Long, String> found = new TreeMap<>();
        long first = storage.getFirstLogIndex();
        for (long index = first; index <= storage.getLastLogIndex(); index++) {
            LogEntry entry = storage.getEntry(index);
            if (entry == null) {
                throw new AssertionError(what + ": no entry of index " + index, storage.failure());
            }
            assertThat(entry.getId().getIndex()).as(what).isEqualTo(index);
            assertThat(storage.getTerm(index)).as(what).isEqualTo(entry.getId().getTerm());
            found.put(index, LogEntries.describe(entry));
        }
        assertThat(storage.getEntry(first - 1)).as(what).isNull();
        assertThat(storage.getEntry(storage.getLastLogIndex() + 1)).as(what).isNull();
        return new LogContent(first, new ArrayList<>(found.values()));
    }

    long last() {
        return first + entries.size() - 1;
    }

    LogContent append(List<LogEntry> more) {
        List<String> all = new ArrayList<>(entries);
        more.forEach(entry -> all.add(LogEntries.describe(entry)));
        return new LogContent(first, all);
    }

    LogContent truncatePrefix(long firstKept) {
        if (firstKept <= first) {
            return this;
        }
        return firstKept > last()
                ? new LogContent(firstKept, List.of())
                : new LogContent(firstKept, entries.subList((int) (firstKept - first), entries.size()));
    }

    LogContent truncateSuffix(long lastKept) {
        return lastKept >= last() ? this : new LogContent(first, entries.subList(0, (int) (lastKept + 1 - first)));
    }
}
