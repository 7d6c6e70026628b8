/** The subjects of the messaging benchmarks: one adapter for each workload of a library or ceiling. */
@NullMarked
package dev.touchstone.benchmarks.messaging.peer;

import org.jspecify.annotations.NullMarked;
