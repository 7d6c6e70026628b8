/** The queue's workloads: one benchmark class each, run against every subject behind one interface. */
@NullMarked
package dev.touchstone.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
