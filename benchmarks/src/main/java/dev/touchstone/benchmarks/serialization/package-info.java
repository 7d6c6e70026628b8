/** Benchmarks of serialization: records to bytes and back, and records in the maps of a Hazelcast cluster. */
@NullMarked
package dev.touchstone.benchmarks.serialization;

import org.jspecify.annotations.NullMarked;
