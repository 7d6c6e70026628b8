/**
 * A durable embedded FIFO queue on disk: {@link dev.touchstone.queue.DiskQueue} is where to begin.
 *
 * <p>Methods neither accept nor return null unless the type is marked {@code @Nullable}: an argument that is null all the same causes a {@link
 * java.lang.NullPointerException} before anything has changed. {@code docs/dev/queue.md} describes how the code works.
 */
@NullMarked
package dev.touchstone.queue;

import org.jspecify.annotations.NullMarked;
