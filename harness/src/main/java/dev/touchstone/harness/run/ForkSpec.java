package dev.touchstone.harness.run;

import java.time.Duration;
import java.util.List;

/**
 * One fork to be run.
 *
 * @param round repetition, from 0
 * @param order position within the round, from 0
 * @param jvmFlags flags of its JVM that bear on the figures
 * @param expected how long it should take, JVM start included
 */
public record ForkSpec(Cell cell, int round, int order, Sampling sampling, List<String> jvmFlags, Duration expected) {}
