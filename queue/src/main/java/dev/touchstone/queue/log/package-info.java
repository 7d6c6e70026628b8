/**
 * The log behind a queue: what its rooms share (options, failures, file access, threads). A room uses this package and the rooms before it:
 * {@code segment}, {@code commit}, {@code consume}, {@code recover}, {@code engine}. Not exported.
 */
@NullMarked
package dev.touchstone.queue.log;

import org.jspecify.annotations.NullMarked;
