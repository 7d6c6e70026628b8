package dev.touchstone.harness.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * A goal that uses the class path of the project's benchmarks. A module without benchmarks is passed over, so that a goal can be called for
 * all modules of a build.
 */
@SuppressWarnings("NullAway.Init") // Maven sets the parameters
abstract class HarnessMojo extends AbstractMojo {
    private static final String BENCHMARKS = "META-INF/BenchmarkList";

    /** Class path that has the benchmarks: {@code test}, or {@code runtime} if they are among the main sources. */
    @Parameter(property = "touchstone.scope", defaultValue = "test")
    private String scope;

    @Parameter(defaultValue = "${project.testClasspathElements}", readonly = true)
    private List<String> testClassPath;

    @Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true)
    private List<String> runtimeClassPath;

    @Parameter(defaultValue = "${project.artifacts}", readonly = true)
    private Set<Artifact> projectArtifacts;

    @Parameter(defaultValue = "${plugin.artifacts}", readonly = true)
    private List<Artifact> pluginArtifacts;

    @Parameter(defaultValue = "${project.basedir}", readonly = true)
    private File folder;

    @Parameter(defaultValue = "${project.build.directory}/touchstone", readonly = true)
    private File target;

    @Parameter(defaultValue = "${project.version}", readonly = true)
    private String version;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (!scope.equals("test") && !scope.equals("runtime")) {
            throw new MojoExecutionException("touchstone.scope: expected test or runtime, got " + scope);
        }
        try {
            if (measures()) {
                run(folder.toPath(), target.toPath());
            } else {
                getLog().info("No JMH benchmarks here: none of " + elements() + " has " + BENCHMARKS);
            }
        } catch (IOException e) {
            throw new MojoExecutionException(e.toString(), e);
        }
    }

    /**
     * Does the goal's work.
     *
     * @param project folder of the project
     * @param own folder for files of this plugin, below the project's {@code target}; may not exist
     */
    abstract void run(Path project, Path own) throws IOException, MojoExecutionException, MojoFailureException;

    /** Returns the project's class path, the folder that names the build at its end. */
    final List<Path> buildClassPath() throws IOException {
        List<Path> path = new ArrayList<>(elements());
        path.add(BuildName.write(target.toPath().resolve("build"), version, folder.toPath()));
        return path;
    }

    /** Runs a command of the harness on the project's class path; returns its exit code. */
    final int start(CommandLine command, Path project, Path own) throws IOException, MojoExecutionException {
        try {
            return command.run(harnessClassPath(), own, project);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", e);
        }
    }

    /** Returns the project's class path, then the harness's jars, but those that the project has in a version of its own. */
    private List<Path> harnessClassPath() throws IOException {
        List<Path> path = new ArrayList<>(buildClassPath());
        for (Artifact artifact : pluginArtifacts) {
            if (projectArtifacts.stream().noneMatch(other -> same(other, artifact))) {
                path.add(artifact.getFile().toPath());
            }
        }
        return path;
    }

    private boolean measures() {
        return elements().stream().anyMatch(element -> Files.exists(element.resolve(BENCHMARKS)));
    }

    private List<Path> elements() {
        return (scope.equals("test") ? testClassPath : runtimeClassPath)
                .stream().map(Path::of).filter(Files::exists).toList();
    }

    private static boolean same(Artifact one, Artifact other) {
        return one.getGroupId().equals(other.getGroupId())
                && one.getArtifactId().equals(other.getArtifactId());
    }
}
