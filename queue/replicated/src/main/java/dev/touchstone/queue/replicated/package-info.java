/** Consensus engine of a replicated queue, which stands on SOFAJRaft and keeps the engine's log in segment files of its own. */
@NullMarked
package dev.touchstone.queue.replicated;

import org.jspecify.annotations.NullMarked;
