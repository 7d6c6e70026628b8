/** Programs that {@code scripts/queue-torture} runs: they are killed, starved and cut off, and then say what of the queue's promises is left. */
@NullMarked
package dev.touchstone.queue.torture;

import org.jspecify.annotations.NullMarked;
