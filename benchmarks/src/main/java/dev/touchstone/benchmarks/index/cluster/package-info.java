/** The price index on a Hazelcast cluster beside what Hazelcast itself offers for the same searches. */
@NullMarked
package dev.touchstone.benchmarks.index.cluster;

import org.jspecify.annotations.NullMarked;
