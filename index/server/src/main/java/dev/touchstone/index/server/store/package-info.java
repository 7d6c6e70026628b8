/**
 * A durable store of an index in a folder: a file with a snapshot of the index, and a synced log of the batches since then.
 *
 * <p>{@link dev.touchstone.index.server.store.PriceStore} says what is on the device when. {@code docs/dev/index.md} in the repository leads
 * contributors through this package.
 */
@NullMarked
package dev.touchstone.index.server.store;

import org.jspecify.annotations.NullMarked;
