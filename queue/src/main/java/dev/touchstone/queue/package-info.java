/** Durable embedded FIFO disk queue; {@code docs/dev/queue.md} describes how the code works. */
@NullMarked
package dev.touchstone.queue;

import org.jspecify.annotations.NullMarked;
