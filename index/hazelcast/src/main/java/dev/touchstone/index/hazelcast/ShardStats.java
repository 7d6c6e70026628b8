package dev.touchstone.index.hazelcast;

/**
 * The state of a {@link ShardedPriceIndex}, as one member or client sees it. Immutable.
 *
 * @param offerings number of offerings that have prices in the whole cluster
 * @param searches number of queries that were searched or counted by this object
 * @param updates number of offerings whose changes this object has had applied
 * @param retries number of requests that were sent again because a member had left or a connection was lost
 * @param failures number of requests without an answer
 * @param nearCacheHits number of shards that were found in the near cache; 0 without one
 * @param nearCacheMisses number of shards that had to be fetched into the near cache; 0 without one
 */
public record ShardStats(
        int offerings,
        long searches,
        long updates,
        long retries,
        long failures,
        long nearCacheHits,
        long nearCacheMisses) {}
