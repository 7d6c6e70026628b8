/** The objects of the serialization benchmarks: those of the seed, as records for codecs and as beans for libraries that fill fields. */
@NullMarked
package dev.touchstone.benchmarks.serialization.records;

import org.jspecify.annotations.NullMarked;
