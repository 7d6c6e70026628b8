package dev.touchstone.harness.env;

/**
 * Times of appending 512 B to a file in the data folder and forcing them, by one thread.
 *
 * @param count number of timed appends
 */
public record ForceLatency(int count, double p50Micros, double p99Micros, double maxMicros) {}
