/**
 * Consensus engine of a replicated queue, which stands on SOFAJRaft (ADR 31): {@code JraftEngine} starts members, which are in {@code member}, and
 * lets them keep the engine's log in segment files of its own ({@code SegmentLogStorage}).
 */
@NullMarked
package dev.touchstone.queue.replicated;

import org.jspecify.annotations.NullMarked;
