/** Recorded runs on disk: one folder a run, one line a fork. */
@NullMarked
package dev.touchstone.harness.store;

import org.jspecify.annotations.NullMarked;
