package dev.touchstone.harness.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/** Shows a recorded run, or writes it to files: the harness's command {@code report}, whose options are this goal's parameters. */
@Mojo(name = "report", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.PROCESS_TEST_CLASSES)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters
public final class ReportMojo extends HarnessMojo {
    /** Folder of the run. */
    @Parameter(property = "touchstone.run", required = true)
    private String run;

    /** File to write one self-contained HTML page to. */
    @Parameter(property = "touchstone.html")
    private @Nullable String html;

    /** File to write Markdown to. */
    @Parameter(property = "touchstone.md")
    private @Nullable String md;

    /** File to write JMH's JSON to. */
    @Parameter(property = "touchstone.jmhJson")
    private @Nullable String jmhJson;

    /** File to write Go benchmark lines to. */
    @Parameter(property = "touchstone.benchstat")
    private @Nullable String benchstat;

    /** File to write comma-separated values to. */
    @Parameter(property = "touchstone.csv")
    private @Nullable String csv;

    /** File to write response times at fixed rates to, in HdrHistogram's log format. */
    @Parameter(property = "touchstone.hlog")
    private @Nullable String hlog;

    /** Prints one JSON document instead of the table. */
    @Parameter(property = "touchstone.json", defaultValue = "false")
    private boolean json;

    @Override
    void run(Path project, Path own) throws IOException, MojoExecutionException {
        CommandLine command = new CommandLine("report")
                .option("--html", html)
                .option("--md", md)
                .option("--jmh-json", jmhJson)
                .option("--benchstat", benchstat)
                .option("--csv", csv)
                .option("--hlog", hlog)
                .flag("--json", json)
                .words(List.of(run));
        int exitCode = start(command, project, own);
        if (exitCode != 0) {
            throw new MojoExecutionException("Nothing was reported; the harness says above why: exit code " + exitCode);
        }
    }
}
