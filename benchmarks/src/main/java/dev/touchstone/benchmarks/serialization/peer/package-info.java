/** The subjects of the serialization benchmarks: how each library writes and reads the records, alone and in a Hazelcast map. */
@NullMarked
package dev.touchstone.benchmarks.serialization.peer;

import org.jspecify.annotations.NullMarked;
