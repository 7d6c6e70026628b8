package dev.touchstone.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.touchstone.index.table.TextColumn;
import org.jspecify.annotations.Nullable;

/**
 * Payloads that were read from a mapped file, the last and most wanted ones of them, up to a number of bytes. Thread-safe.
 *
 * <p>A payload belongs to its column, which does not change, so that no update makes one wrong: an offering that was changed has a column of its
 * own, in the heap, from which payloads are read as they are. Those of columns that nobody searches any more give way to others.
 */
final class PayloadCache {
    /** What a payload takes beside its characters, about: key, entry, string and array. */
    private static final int OVERHEAD_BYTES = 160;

    private final Cache<Key, String> cache;

    /** Where a payload stands; columns are equal if they are the same. */
    private record Key(TextColumn column, int row) {}

    /** A cache that takes up to a number of bytes; none at all for 0. */
    PayloadCache(long mostBytes) {
        cache = Caffeine.newBuilder()
                .maximumWeight(mostBytes)
                .weigher((Key key, String text) -> weight(text))
                .executor(Runnable::run)
                .build();
    }

    private static int weight(String text) {
        return (int) Math.min(Integer.MAX_VALUE, OVERHEAD_BYTES + 2L * text.length());
    }

    /** The payload of a row, or null if it has none. */
    @Nullable
    String payload(PriceColumns prices, int row) {
        TextColumn column = prices.payloads();
        if (column == null || !column.isMapped() || column.isEmpty(row)) {
            return prices.payload(row);
        }
        return cache.get(new Key(column, row), key -> key.column.get(key.row));
    }

    /** How many payloads are held now. */
    long size() {
        cache.cleanUp();
        return cache.estimatedSize();
    }

    /** How many bytes they take, as they are counted. */
    long bytes() {
        cache.cleanUp();
        return cache.asMap().values().stream().mapToLong(PayloadCache::weight).sum();
    }
}
