package dev.touchstone.harness.env;

/**
 * How long it takes to append 512 B to a file and force them, one thread, in the data folder.
 *
 * @param count how many were timed
 */
public record ForceLatency(int count, double p50Micros, double p99Micros, double maxMicros) {}
