/** Tests of the capsule: small ones assembled on the spot and started as a user would, in processes of their own. */
@NullMarked
package dev.touchstone.benchmarks.capsule;

import org.jspecify.annotations.NullMarked;
