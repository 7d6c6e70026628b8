/** Tests of the documents: what README.md and docs print is compiled and run, and their links lead somewhere. */
@NullMarked
package dev.touchstone.benchmarks.docs;

import org.jspecify.annotations.NullMarked;
