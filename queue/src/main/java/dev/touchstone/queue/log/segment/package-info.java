/** The files of a log: segments, their headers and records, and readers of them. */
@NullMarked
package dev.touchstone.queue.log.segment;

import org.jspecify.annotations.NullMarked;
