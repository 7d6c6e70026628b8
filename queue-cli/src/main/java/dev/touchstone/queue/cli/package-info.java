/** The command line {@code touchstone-queue}. */
@NullMarked
package dev.touchstone.queue.cli;

import org.jspecify.annotations.NullMarked;
