package dev.touchstone.harness.store;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What one fork of one cell gave: one line of {@code forks.jsonl}.
 *
 * @param cell id of the cell, {@link dev.touchstone.harness.run.Cell#id()}
 * @param round which repetition of the whole group this fork belongs to, from 0
 * @param order position within the round, from 0
 * @param startedAt ISO-8601 instant
 * @param wallMillis time from start to end of the fork, JVM start included
 * @param error why the fork failed; null where it did not
 * @param primary the benchmark's own score; null where the fork failed
 * @param secondary {@code @AuxCounters} and profiler results by name
 * @param jvmFlags flags that this fork's JVM was started with
 * @param noise what else the machine did meanwhile
 * @param build whose code it ran
 * @param rerun which repetition of its round's comparison this is, from 0; a comparison that was disturbed is run again as a whole
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
        @Nullable Ruler ruler,
        @Nullable Latency latency) {
    /** Takes what earlier versions did not record as their only case. */
    public ForkResult {
        build = build == null ? Build.OWN : build;
        rerun = rerun == null ? 0 : rerun;
    }

    /** True where the fork ran to its end and gave a score. */
    public boolean ok() {
        return primary != null;
    }

    /** This fork, marked as disturbed by {@code reason}. */
    public ForkResult dirtied(@Nullable String reason) {
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
                primary,
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
