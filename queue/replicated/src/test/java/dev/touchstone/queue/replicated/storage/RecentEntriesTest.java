package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.LogEntry;
import dev.touchstone.queue.log.FaultyFileIo;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentEntriesTest {
    private final RecentEntries recent = new RecentEntries();

    @Test
    void put_largeEntries_keepsTheLastOnes() {
        LogEntry[] entries = new LogEntry[20];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = LogEntries.data(i, 1, new byte[1 << 20]);
            recent.put(entries[i]);
        }
        assertThat(recent.get(19)).isSameAs(entries[19]);
        assertThat(recent.get(15)).isSameAs(entries[15]);
        assertThat(recent.get(14)).isNull();
        LogEntry other = LogEntries.data(19, 2, new byte[3 << 20]);
        recent.put(other);
        assertThat(recent.get(19)).isSameAs(other);
        assertThat(recent.get(16)).isNull();
        assertThat(recent.get(17)).isSameAs(entries[17]);
    }

    @Test
    void put_smallOrVeryLargeEntry_keepsItNot() {
        recent.put(LogEntries.data(1, 1));
        recent.put(LogEntries.data(2, 1, new byte[6 << 20]));
        assertThat(recent.get(1)).isNull();
        assertThat(recent.get(2)).isNull();
    }

    @Test
    void getEntry_keptEntryWasReplaced_isTheNewOne() {
        SegmentLogStorage storage = LogEntries.open(new FaultyFileIo());
        LogEntry old = LogEntries.data(1, 1, new byte[20_000]);
        LogEntries.append(storage, List.of(old));
        assertThat(storage.getEntry(1)).isSameAs(old);
        assertThat(storage.truncateSuffix(0)).isTrue();
        assertThat(storage.getEntry(1)).isNull();
        LogEntry replacing = LogEntries.data(1, 2, new byte[4_000]);
        LogEntries.append(storage, List.of(replacing));
        assertThat(storage.getEntry(1)).isEqualTo(replacing);
    }
}
