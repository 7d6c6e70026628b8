/** Interfaces between a replicated queue and the consensus library that carries its entries. */
@NullMarked
package dev.touchstone.queue.replication;

import org.jspecify.annotations.NullMarked;
