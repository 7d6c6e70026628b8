package dev.touchstone.index;

import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one offering that give prices which are there other values, and nothing else: the segment after them has a column of its own, and all it is
 * searched by is the one's before. What most updates are. Not thread-safe.
 */
final class ValueChanges {
    private static final int FILTER_BITS = 1 << 14;
    private static final int BLOCK_ROWS = 256;

    private final Segment segment;
    private final LongBuffer uuids;
    private final Map<UUID, Price> wanted = new HashMap<>(); // those that were not found yet
    private final long[] filter = new long[FILTER_BITS / Long.SIZE]; // of their ids, so that few rows are looked up

    /** Whether a price has the conditions, and the currency, of one of the segment's. */
    interface Same {
        boolean test(Price price, int row);
    }

    private ValueChanges(Segment segment, LongBuffer uuids) {
        this.segment = segment;
        this.uuids = uuids;
    }

    /** The segment after some changes; null where they are more than values. */
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
            wanted.put(id, change.price()); // the last of equal ones counts
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
        // ids out of the heap or of a file, so that the loop over them is one over an array
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

    /** Changes a row whose id is in a block, if it is wanted; false if more than its value would change. */
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
