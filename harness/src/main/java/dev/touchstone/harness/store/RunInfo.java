package dev.touchstone.harness.store;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code run.json}: a run's settings and times. Written when the run starts and again when it ends.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param profile {@link dev.touchstone.harness.run.Profile#label()}: {@code quick}, {@code nightly}
 * @param commandLine the arguments the run was started with, without the paths in them
 * @param version version of the build that was measured
 * @param commit short commit of the build, or {@code unknown}
 * @param dirty whether the build had uncommitted changes
 * @param startedAt ISO-8601 instant
 * @param finishedAt ISO-8601 instant; null while the run goes on or where it was interrupted
 * @param dataFolder stands for where the benchmarks put their files; the path itself is not recorded
 * @param tmpfs whether that folder is in memory, so that no figure of this run says anything of a disk
 * @param cells ids of the planned cells, in the order of round 0
 * @param rounds planned repetitions of every cell
 * @param jdk {@code java.vm.version} of host and forks
 * @param baseline the build that this one was compared with in the same run; null where there was none
 * @param settings what the profile chose, by name, as reports show it: {@code warmup}, {@code measurement}, {@code budget}
 */
public record RunInfo(
        int schema,
        String profile,
        List<String> commandLine,
        String version,
        String commit,
        boolean dirty,
        String startedAt,
        @Nullable String finishedAt,
        String dataFolder,
        boolean tmpfs,
        List<String> cells,
        int rounds,
        String jdk,
        @Nullable BuildInfo baseline,
        SortedMap<String, String> settings) {

    /** The version that this harness reads and writes. */
    public static final int SCHEMA = 1;

    /**
     * Returns the identity of the measured build.
     *
     * @return version, commit and state of the working tree
     */
    public BuildInfo build() {
        return new BuildInfo(version, commit, dirty);
    }

    /**
     * Returns this run with its end.
     *
     * @param at ISO-8601 instant of the end
     * @param roundsDone complete rounds, in place of the planned ones
     * @return a copy; all else is unchanged
     */
    public RunInfo finished(String at, int roundsDone) {
        return new RunInfo(
                schema,
                profile,
                commandLine,
                version,
                commit,
                dirty,
                startedAt,
                at,
                dataFolder,
                tmpfs,
                cells,
                roundsDone,
                jdk,
                baseline,
                settings);
    }
}
