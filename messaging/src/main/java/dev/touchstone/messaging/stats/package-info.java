/** Figures of a node and its connections, as {@link dev.touchstone.messaging.Node#stats()} returns them. */
@NullMarked
package dev.touchstone.messaging.stats;

import org.jspecify.annotations.NullMarked;
