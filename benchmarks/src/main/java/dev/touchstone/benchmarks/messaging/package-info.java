/** The workloads of messaging: one benchmark class each, run against every subject behind one interface a workload. */
@NullMarked
package dev.touchstone.benchmarks.messaging;

import org.jspecify.annotations.NullMarked;
