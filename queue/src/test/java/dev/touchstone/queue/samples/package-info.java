/** How the queue is used: each class is one recipe, compiled and run with the tests. */
@NullMarked
package dev.touchstone.queue.samples;

import org.jspecify.annotations.NullMarked;
