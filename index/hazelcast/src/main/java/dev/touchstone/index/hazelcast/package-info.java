/** The price index on a Hazelcast cluster: every member has all prices, or each has those of some offerings. */
@NullMarked
package dev.touchstone.index.hazelcast;

import org.jspecify.annotations.NullMarked;
