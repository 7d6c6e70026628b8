/** Programs that {@code scripts/queue-torture} kills, starves and cuts off from their device, and that judge afterwards whether the queue kept its promises. */
@NullMarked
package dev.touchstone.queue.torture;

import org.jspecify.annotations.NullMarked;
