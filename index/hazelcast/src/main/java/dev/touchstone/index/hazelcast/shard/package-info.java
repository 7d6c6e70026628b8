/** The engine of the sharded index: the shards, their binary forms, and the processors that members run on them. */
@NullMarked
package dev.touchstone.index.hazelcast.shard;

import org.jspecify.annotations.NullMarked;
