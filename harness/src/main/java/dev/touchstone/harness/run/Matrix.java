package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The list of all that a project measures: its workloads, the subjects of each, and the flags of each subject's JVM. {@link MatrixReader} reads it
 * from the project that has the benchmarks; this module knows no more of them than this.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param commonFlags flags of every fork
 * @param flagSets further flags by the name that {@link Subject#flags()} gives: a peer's flags go to its own forks only
 * @param subjects every subject by the name that benchmarks know it by, {@code OURS_SYNCED}
 * @param workloads in the order of the report
 * @param seedRows figures of the origin documents and the cells that answer them
 * @param sources folder of the benchmarks' Java sources below the repository's root, for links; null where there are none to link to
 */
public record Matrix(
        int schema,
        List<String> commonFlags,
        SortedMap<String, List<String>> flagSets,
        SortedMap<String, Subject> subjects,
        List<Workload> workloads,
        List<SeedRow> seedRows,
        @Nullable String sources) {

    /** The version that this harness reads. */
    public static final int SCHEMA = 1;

    /**
     * An implementation that is measured.
     *
     * @param label for tables, {@code tape 2.0.0-beta1}
     * @param level what the subject promises, so that only like is compared with like: {@code durable, one force a record}
     * @param flags name of its flag set, or null for none
     * @param config how it is set up and why that is its best
     * @param adapters methods that open it, {@code package.Class.method}, for the benchmarks to call; no other use is made of them
     */
    public record Subject(
            String label, String level, @Nullable String flags, String config, List<String> adapters) {
        /** Takes a subject without adapters for one that its benchmarks open by its name. */
        public Subject {
            adapters = adapters == null ? List.of() : adapters;
        }

        /**
         * Creates a subject without adapters.
         *
         * @param label for tables
         * @param level what the subject promises
         * @param flags name of its flag set, or null for none
         * @param config how it is set up and why that is its best
         */
        public Subject(String label, String level, @Nullable String flags, String config) {
            this(label, level, flags, config, List.of());
        }
    }

    /**
     * Subjects that do the same work under the same promise, compared with one of ours.
     *
     * @param id {@code queue-write-synced}
     * @param part {@code queue}
     * @param title {@code Write 512 B, durable on return}
     * @param benchmark fully qualified {@code package.Class.method}; for a JMH group the group's name in place of the method
     * @param params fixed {@code @Param} values other than {@code subject}
     * @param threads thread counts swept; empty where the benchmark fixes its own
     * @param ours the subject that ratios are taken of
     * @param peers the subjects that it is compared with
     * @param ceiling the physical limit, or null
     * @param quick what the quick profile measures of this workload, or null for nothing
     * @param headline what {@code compare} measures of it beside its peers if nothing else is chosen, or null for nothing
     * @param perOperation auxiliary counters by the label to show them under, each divided by the score: {@code forces per record} of
     *     {@code forces}
     * @param ruler the machine's own work that this one mostly waits for, or null for arithmetic
     * @param flags name of the flag set of all its subjects' forks, or null for none
     */
    public record Workload(
            String id,
            String part,
            String title,
            String benchmark,
            SortedMap<String, String> params,
            List<Integer> threads,
            String ours,
            List<String> peers,
            @Nullable Ceiling ceiling,
            @Nullable Excerpt quick,
            @Nullable Excerpt headline,
            SortedMap<String, String> perOperation,
            ReferenceLoad.@Nullable Kind ruler,
            @Nullable String flags) {
        /**
         * Returns the machine's own work by which scores of different nights are compared.
         *
         * @return {@link #ruler}, or arithmetic if that is null
         */
        public ReferenceLoad.Kind rulerKind() {
            return ruler == null ? ReferenceLoad.Kind.CPU : ruler;
        }

        /**
         * Returns the names of all subjects.
         *
         * @return ours, the peers, and the ceiling if there is one
         */
        public List<String> subjects() {
            List<String> subjects = new ArrayList<>(List.of(ours));
            subjects.addAll(peers);
            if (ceiling != null) {
                subjects.add(ceiling.subject());
            }
            return subjects;
        }
    }

    /**
     * Threads and peers that are measured of a workload, beside ours and the ceiling, if not all of it is.
     *
     * @param threads thread counts; empty where the benchmark fixes its own
     * @param peers those of the workload's peers that a user asks about first
     */
    public record Excerpt(List<Integer> threads, List<String> peers) {}

    /**
     * A physical limit measured in the same run.
     *
     * @param subject {@code CEILING_DSYNC}
     * @param threads threads that it is measured with, or 0 for the cell's own
     * @param timesThreads whether the limit of n threads is n times what one measures (a group commit may serve n with one force)
     */
    public record Ceiling(String subject, int threads, boolean timesThreads) {}

    /**
     * A row of an origin document and the cells here that answer it.
     *
     * @param seed file and row id below {@code results/seed}: {@code queue-popout#write-ssd/batched/t1}
     * @param workload id of the workload
     * @param threads the cell's thread count, or 0
     * @param ours subject of ours that answers it
     * @param peer subject measured here that stands for the row's subject
     * @param counter auxiliary counter, or method of a JMH group, that answers it; null for the score
     */
    public record SeedRow(
            String seed,
            String workload,
            int threads,
            String ours,
            String peer,
            @Nullable String counter) {}
}
