package dev.touchstone.index;

import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one offering that give existing prices other values, and change nothing else, as most updates do. The new segment has a new column of
 * values, and shares all that searches use with the old one. Not thread-safe.
 */
final class ValueChanges {
    private static final int FILTER_BITS = 1 << 14;
    private static final int BLOCK_ROWS = 256;

    private final Segment segment;
    private final LongBuffer uuids;
    private final Map<UUID, Price> wanted = new HashMap<>(); // prices that were not found yet
    private final long[] filter = new long[FILTER_BITS / Long.SIZE]; // Bloom filter of the wanted ids

    /** A comparison that tells whether a price has the same conditions and currency as a row of the segment. */
    interface Same {
        boolean test(Price price, int row);
    }

    private ValueChanges(Segment segment, LongBuffer uuids) {
        this.segment = segment;
        this.uuids = uuids;
    }

    /** Returns the segment after some changes; null if they change more than values. */
    static @Nullable Segment apply(Segment segment, List<PriceBatch.Change> changes, Same same) {
        LongBuffer uuids = segment.prices.uuids();
        if (uuids == null) {
            return null;
        }
        ValueChanges all = new ValueChanges(segment, uuids);
        return all.want(changes) ? all.find(same) : null;
    }

    private boolean want(List<PriceBatch.Change> changes) {
        for (PriceBatch.Change change : changes) {
            if (change.price() == null || !PriceColumns.isUuid(change.id())) {
                return false;
            }
            UUID id = UUID.fromString(change.id());
            wanted.put(id, change.price()); // the last change of an id counts
            int bit = bit(id.getLeastSignificantBits());
            filter[bit >>> 6] |= 1L << bit;
        }
        return true;
    }

    private static int bit(long low) {
        return (int) (low ^ low >>> 20) & (FILTER_BITS - 1);
    }

    private @Nullable Segment find(Same same) {
        long[] values = new long[segment.count];
        segment.prices.values().get(0, values);
        // ids are copied from the buffer, so that the loop runs over an array
        long[] block = new long[2 * BLOCK_ROWS];
        for (int from = 0; from < segment.count && !wanted.isEmpty(); from += BLOCK_ROWS) {
            int rows = Math.min(BLOCK_ROWS, segment.count - from);
            uuids.get(2 * from, block, 0, 2 * rows);
            for (int i = 0; i < rows; i++) {
                int bit = bit(block[2 * i + 1]);
                if ((filter[bit >>> 6] >>> bit & 1) != 0 && !change(block, i, from + i, values, same)) {
                    return null;
                }
            }
        }
        return wanted.isEmpty() ? new Segment(segment, segment.defaults, segment.prices.withValues(values)) : null;
    }

    /** Changes the value of a row whose id is in a block, if the id is wanted; returns false if more than the value would change. */
    private boolean change(long[] block, int at, int row, long[] values, Same same) {
        Price price = wanted.remove(new UUID(block[2 * at], block[2 * at + 1]));
        if (price == null) {
            return true;
        }
        if (!isSameButValue(price, row) || !same.test(price, row)) {
            return false;
        }
        values[row] = price.value().unscaledValue().longValueExact();
        return true;
    }

    private boolean isSameButValue(Price price, int row) {
        return price.value().scale() == segment.prices.scale(row)
                && price.isDefault() == segment.isDefault(row)
                && Objects.equals(price.payload(), segment.prices.payload(row));
    }
}
