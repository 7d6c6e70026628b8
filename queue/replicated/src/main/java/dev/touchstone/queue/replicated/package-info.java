/**
 * Consensus engine of a replicated queue, which stands on SOFAJRaft (ADR 31): {@code JraftEngine} starts members, which are in {@code member} and talk
 * over {@code link}; {@code storage} keeps their entries.
 */
@NullMarked
package dev.touchstone.queue.replicated;

import org.jspecify.annotations.NullMarked;
