/** Codecs of libraries that know nothing of Hazelcast: each library as an {@code ObjectFormat} behind one adapter. */
@NullMarked
package dev.touchstone.benchmarks.serialization.library;

import org.jspecify.annotations.NullMarked;
