/** A run: its plan of forks in rounds, which are interleaved, and the session that measures them. */
@NullMarked
package dev.touchstone.harness.run.plan;

import org.jspecify.annotations.NullMarked;
