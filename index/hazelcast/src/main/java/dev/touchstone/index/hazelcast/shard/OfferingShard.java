package dev.touchstone.index.hazelcast.shard;

import dev.touchstone.index.price.PriceIndex;
import java.util.Arrays;
import java.util.UUID;

/**
 * The prices of one offering, as the map of a sharded index holds them. Immutable and thread-safe.
 *
 * <p><b>Invariants.</b> There is at least one price. Each update raises the version by 1, so that the place of an update among the recent ones tells the
 * version that it has made.
 */
public final class OfferingShard {
    /**
     * Number of the last updates whose ids a shard has, so that one that is sent again is not applied again. Four members or clients may have so many on their way
     * while a backup is cut off; the ids take 16 KB.
     */
    static final int MAX_RECENT = 1024;

    private final ShardFormat format;
    private final long order;
    private final long[] recent;
    private final PriceIndex index;

    /**
     * Creates a shard.
     *
     * @param format formats of the sharded index
     * @param order number by which the offerings of all shards are ordered, from 1
     * @param recent ids of the last updates in two halves each, the newest last; not changed any more
     * @param index prices of the offering
     */
    OfferingShard(ShardFormat format, long order, long[] recent, PriceIndex index) {
        this.format = format;
        this.order = order;
        this.recent = recent;
        this.index = index;
    }

    ShardFormat format() {
        return format;
    }

    long order() {
        return order;
    }

    long[] recent() {
        return recent;
    }

    /**
     * Returns the prices of the offering.
     *
     * @return index, which must not be changed
     */
    public PriceIndex index() {
        return index;
    }

    /** Returns the version that an update has made; 0 if the update is not among the last ones. */
    long versionOf(UUID update) {
        for (int at = recent.length - 2; at >= 0; at -= 2) {
            if (recent[at] == update.getMostSignificantBits() && recent[at + 1] == update.getLeastSignificantBits()) {
                return index.version() - (recent.length - 2 - at) / 2;
            }
        }
        return 0;
    }

    /** Returns the shard after an update. */
    OfferingShard after(UUID update, PriceIndex next) {
        int from = Math.max(0, recent.length + 2 - 2 * MAX_RECENT);
        long[] ids = Arrays.copyOfRange(recent, from, recent.length + 2);
        ids[ids.length - 2] = update.getMostSignificantBits();
        ids[ids.length - 1] = update.getLeastSignificantBits();
        return new OfferingShard(format, order, ids, next);
    }
}
