package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.entity.LogEntry;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The large entries that were appended or read last. The library reads a whole entry to learn its term, for each heartbeat and each request with entries.
 * Thread-safe.
 */
final class RecentEntries {
    private static final int MIN_ENTRY_BYTES = 8 << 10;
    private static final int MAX_BYTES = 5 << 20;

    @GuardedBy("this")
    private final LinkedHashMap<Long, LogEntry> entries = new LinkedHashMap<>(); // by their indexes, oldest first

    @GuardedBy("this")
    private long bytes;

    /** Keeps an entry, in the place of older ones. */
    void put(LogEntry entry) {
        int length = bytes(entry);
        if (length < MIN_ENTRY_BYTES || length > MAX_BYTES) {
            return;
        }
        synchronized (this) {
            LogEntry before = entries.remove(entry.getId().getIndex());
            bytes += length - (before == null ? 0 : bytes(before));
            entries.put(entry.getId().getIndex(), entry);
            Iterator<Map.Entry<Long, LogEntry>> oldest = entries.entrySet().iterator();
            while (bytes > MAX_BYTES) {
                bytes -= bytes(oldest.next().getValue());
                oldest.remove();
            }
        }
    }

    /** Returns the entry that was kept of an index, which may not be of the log any more; null if there is none. */
    synchronized @Nullable LogEntry get(long index) {
        return entries.get(index);
    }

    private static int bytes(LogEntry entry) {
        ByteBuffer data = entry.getData();
        return data == null ? 0 : data.remaining();
    }
}
