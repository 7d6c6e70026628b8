/** The log as a whole, assembled from the rooms beside this one. */
@NullMarked
package dev.touchstone.queue.log.engine;

import org.jspecify.annotations.NullMarked;
