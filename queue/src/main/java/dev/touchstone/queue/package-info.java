/** Durable embedded FIFO disk queue. */
@NullMarked
package dev.touchstone.queue;

import org.jspecify.annotations.NullMarked;
