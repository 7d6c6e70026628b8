package dev.touchstone.harness.store;

import dev.touchstone.harness.run.ReferenceLoad;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of a fork: one line of {@code forks.jsonl}.
 *
 * @param cell id of the cell, {@link dev.touchstone.harness.run.Cell#id()}
 * @param workload id of the workload in the matrix
 * @param subject name of the subject in the matrix
 * @param threads JMH worker threads; 0 if the benchmark fixes its own
 * @param params the cell's parameters, by name
 * @param round repetition of the whole group, from 0
 * @param order position within the round, from 0
 * @param startedAt ISO-8601 instant
 * @param wallMillis time from start to end of the fork, JVM start included
 * @param error why the fork failed; null where it did not
 * @param primary the benchmark's own score; null where the fork failed
 * @param secondary {@code @AuxCounters} and profiler results by name
 * @param jvmFlags flags that this fork's JVM was started with
 * @param noise what else the machine did meanwhile
 * @param build the build whose code ran
 * @param rerun repetition of its comparison within the round, from 0; a disturbed comparison is run again as a whole
 * @param dirty what disturbed it beyond the machine's limits; null where nothing did
 * @param ruler what the machine could do just before; null where it was not measured
 * @param latency the times of calls at a fixed rate; null where a mode of JMH's own measured
 */
public record ForkResult(
        String cell,
        String workload,
        String subject,
        int threads,
        SortedMap<String, String> params,
        int round,
        int order,
        String startedAt,
        long wallMillis,
        @Nullable String error,
        @Nullable Metric primary,
        SortedMap<String, Metric> secondary,
        List<String> jvmFlags,
        Noise noise,
        Build build,
        Integer rerun,
        @Nullable String dirty,
        @Nullable ReferenceLoad ruler,
        @Nullable Latency latency) {
    /** Takes what earlier versions did not record as their only case. */
    public ForkResult {
        build = build == null ? Build.OWN : build;
        rerun = rerun == null ? 0 : rerun;
    }

    /**
     * Returns whether the fork ran to its end and gave a score.
     *
     * @return false if the fork failed; {@link #error} then says why
     */
    public boolean ok() {
        return primary != null;
    }

    /**
     * Returns this result with another remark about disturbance.
     *
     * @param reason what disturbed the fork, or null for nothing
     * @return a copy; all else is unchanged
     */
    public ForkResult dirtied(@Nullable String reason) {
        return with(primary, reason);
    }

    /**
     * Returns this result with another score.
     *
     * @param metric name among {@link #secondary}
     * @return a copy, which has no score if there is no such metric
     */
    public ForkResult scoredBy(String metric) {
        return with(secondary.get(metric), dirty);
    }

    private ForkResult with(@Nullable Metric score, @Nullable String reason) {
        return new ForkResult(
                cell,
                workload,
                subject,
                threads,
                params,
                round,
                order,
                startedAt,
                wallMillis,
                error,
                score,
                secondary,
                jvmFlags,
                noise,
                build,
                rerun,
                reason,
                ruler,
                latency);
    }
}
