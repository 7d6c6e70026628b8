/** The command line {@code queue-replicated}. */
@NullMarked
package dev.touchstone.queue.replicated.cli;

import org.jspecify.annotations.NullMarked;
