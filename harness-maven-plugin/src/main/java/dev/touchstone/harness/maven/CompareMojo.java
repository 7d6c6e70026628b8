package dev.touchstone.harness.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.Log;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Compares this build of the project's JMH benchmarks with an older one, or recorded runs, or calibrates the machine: the harness's command
 * {@code compare}, whose options are this goal's parameters. Fails if a cell is slower; an undecided cell is a warning.
 */
@Mojo(name = "compare", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.PROCESS_TEST_CLASSES)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters
public final class CompareMojo extends HarnessMojo {
    private static final int OK = 0;
    private static final int SLOWER = 1;
    private static final int USAGE = 2;
    private static final int UNDECIDED = 3;

    /** Sides to compare: a jar that the goal {@code jar} made, or a capsule, or folders of recorded runs. The older side comes first. */
    @Parameter(property = "touchstone.sides")
    private @Nullable List<String> sides;

    /** Fails also where no cell is slower but some are not decided. */
    @Parameter(property = "touchstone.failOnUndecided", defaultValue = "false")
    private boolean failOnUndecided;

    /** Arguments for JMH. */
    @Parameter(property = "touchstone.jmh")
    private @Nullable List<String> jmh;

    /** Calibrates: measures this build against itself, and keeps the difference that noise alone shows as this machine's floor. */
    @Parameter(property = "touchstone.aa", defaultValue = "false")
    private boolean aa;

    /** Compares sides that are not comparable too, such as builds of uncommitted changes. */
    @Parameter(property = "touchstone.force", defaultValue = "false")
    private boolean force;

    /** Regular expressions: only workloads whose id or benchmark name matches. */
    @Parameter(property = "touchstone.workloads")
    private @Nullable List<String> workloads;

    /** Thread counts to measure instead of the matrix's. */
    @Parameter(property = "touchstone.threads")
    private @Nullable List<String> threads;

    /** Values of benchmark parameters instead of the matrix's, as {@code name=value}. */
    @Parameter(property = "touchstone.param")
    private @Nullable List<String> param;

    /** Calls a second of all threads together; measures response times at this fixed rate. */
    @Parameter(property = "touchstone.rate")
    private @Nullable List<String> rate;

    /** Most pairs of forks for each cell. */
    @Parameter(property = "touchstone.rounds")
    private @Nullable String rounds;

    /** Per cent; sides that differ by no more are the same. */
    @Parameter(property = "touchstone.margin")
    private @Nullable String margin;

    /** Warm-up iterations of each fork, as {@code 2x500ms}. */
    @Parameter(property = "touchstone.warmup")
    private @Nullable String warmup;

    /** Measured iterations of each fork, as {@code 3x500ms}. */
    @Parameter(property = "touchstone.measure")
    private @Nullable String measure;

    /** Most wall time to spend, as {@code 10m}. */
    @Parameter(property = "touchstone.budget")
    private @Nullable String budget;

    /** Existing folder on the disk to measure. */
    @Parameter(property = "touchstone.data")
    private @Nullable String data;

    /** Folder where runs are recorded; {@code results} by default. */
    @Parameter(property = "touchstone.results")
    private @Nullable String results;

    /** Recorded run to continue. */
    @Parameter(property = "touchstone.resume")
    private @Nullable String resume;

    /** Only these parts of the matrix. */
    @Parameter(property = "touchstone.parts")
    private @Nullable List<String> parts;

    /** Profilers: {@code gc}, {@code flame}, {@code jfr}. */
    @Parameter(property = "touchstone.prof")
    private @Nullable List<String> prof;

    /** Prints one JSON document instead of the table. */
    @Parameter(property = "touchstone.json", defaultValue = "false")
    private boolean json;

    /** Most time to wait for another JMH run on this machine, as {@code 10m}. */
    @Parameter(property = "touchstone.lockWait")
    private @Nullable String lockWait;

    @Override
    void run(Path project, Path own) throws IOException, MojoExecutionException, MojoFailureException {
        CommandLine command = new CommandLine("compare")
                .flag("--aa", aa)
                .flag("--force", force)
                .options("--workloads", workloads)
                .options("--threads", threads)
                .options("--param", param)
                .options("--rate", rate)
                .option("--rounds", rounds)
                .option("--margin", margin)
                .option("--warmup", warmup)
                .option("--measure", measure)
                .option("--budget", budget)
                .option("--data", data)
                .option("--results", results)
                .option("--resume", resume)
                .options("--parts", parts)
                .options("--prof", prof)
                .flag("--json", json)
                .option("--lock-wait", lockWait)
                .words(sides);
        if (jmh != null && !jmh.isEmpty()) {
            command.flag("--", true).words(jmh);
        }
        judge(start(command, project, own), failOnUndecided, getLog());
    }

    /**
     * Ends the goal as the harness ended.
     *
     * @throws MojoFailureException if a cell is slower, or undecided where that is a failure
     * @throws MojoExecutionException if nothing was compared
     */
    static void judge(int exitCode, boolean failOnUndecided, Log log)
            throws MojoExecutionException, MojoFailureException {
        switch (exitCode) {
            case OK -> log.info("Every cell is decided, and none is slower.");
            case SLOWER ->
                throw new MojoFailureException("A cell is slower: the table above says which, and by how much.");
            case USAGE -> throw new MojoExecutionException("Nothing was compared: the harness says above why.");
            case UNDECIDED -> {
                String message =
                        "No cell is slower, but some are undecided: the table above says how many pairs they need.";
                if (failOnUndecided) {
                    throw new MojoFailureException(message);
                }
                log.warn(message);
            }
            default -> throw new MojoExecutionException("A benchmark or the machine failed: exit code " + exitCode);
        }
    }
}
