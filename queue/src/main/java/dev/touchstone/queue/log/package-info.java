/** The log behind a queue: what its rooms share (options, failures, file access). Not exported. */
@NullMarked
package dev.touchstone.queue.log;

import org.jspecify.annotations.NullMarked;
