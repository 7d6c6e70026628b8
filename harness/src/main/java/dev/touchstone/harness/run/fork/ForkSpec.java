package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.store.Build;
import java.time.Duration;
import java.util.List;

/**
 * A fork to be run.
 *
 * @param cell the cell that it measures
 * @param build the build whose code it runs
 * @param round repetition, from 0
 * @param rerun repetition of the round's comparison after a disturbance, from 0
 * @param order position within the round, from 0
 * @param sampling its warm-up and measurement
 * @param jvmFlags flags of its JVM that bear on the figures
 * @param expected expected time from start to end, JVM start included
 */
public record ForkSpec(
        Cell cell,
        Build build,
        int round,
        int rerun,
        int order,
        Sampling sampling,
        List<String> jvmFlags,
        Duration expected) {
    public ForkSpec at(int newRound, int newOrder) {
        return new ForkSpec(cell, build, newRound, rerun, newOrder, sampling, jvmFlags, expected);
    }

    public ForkSpec again(int newRerun) {
        return new ForkSpec(cell, build, round, newRerun, order, sampling, jvmFlags, expected);
    }
}
