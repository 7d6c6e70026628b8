/** Hazelcast clusters for the serialization benchmarks: inside the benchmark's JVM, in JVMs of their own, or elsewhere. */
@NullMarked
package dev.touchstone.benchmarks.serialization.cluster;

import org.jspecify.annotations.NullMarked;
