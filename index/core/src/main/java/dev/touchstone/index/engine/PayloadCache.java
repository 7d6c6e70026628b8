package dev.touchstone.index.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.touchstone.index.table.TextColumn;
import org.jspecify.annotations.Nullable;

/**
 * A cache of payloads that were read from a mapped file, which keeps recent and frequent ones up to a number of bytes. Thread-safe.
 *
 * <p>A payload belongs to its column, and columns do not change, so an update makes no cached payload wrong: an offering that was changed has a new
 * column in the heap, whose payloads are read without this cache. Payloads of columns that are no longer searched are evicted in favour of others.
 */
public final class PayloadCache {
    /** Approximate size of a cached payload without its characters, in bytes: key, entry, string and array. */
    private static final int OVERHEAD_BYTES = 160;

    private final Cache<Key, String> cache;

    /** The place of a payload. Columns are compared by identity. */
    private record Key(TextColumn column, int row) {}

    /** Creates a cache with a maximum size in bytes; 0 keeps no payloads. */
    public PayloadCache(long mostBytes) {
        cache = Caffeine.newBuilder()
                .maximumWeight(mostBytes)
                .weigher((Key key, String text) -> weight(text))
                .executor(Runnable::run)
                .build();
    }

    private static int weight(String text) {
        return (int) Math.min(Integer.MAX_VALUE, OVERHEAD_BYTES + 2L * text.length());
    }

    /** Returns the payload of a row, or null if it has none. */
    @Nullable
    public String payload(PriceColumns prices, int row) {
        TextColumn column = prices.payloads();
        if (column == null || !column.isMapped() || column.isEmpty(row)) {
            return prices.payload(row);
        }
        return cache.get(new Key(column, row), key -> key.column.get(key.row));
    }

    /** Returns the number of payloads in the cache. */
    long size() {
        cache.cleanUp();
        return cache.estimatedSize();
    }

    /** Returns the approximate size of the payloads in the cache, in bytes. */
    long bytes() {
        cache.cleanUp();
        return cache.asMap().values().stream().mapToLong(PayloadCache::weight).sum();
    }
}
