package dev.touchstone.harness.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The resource by which the harness knows which build it measures: version, commit, and whether files were changed since. */
final class BuildName {
    private static final String RESOURCE = "META-INF/touchstone/build.properties";

    private BuildName() {}

    /**
     * Writes the resource below a folder, which is made. Outside of a git checkout the commit is unknown.
     *
     * @return the folder
     */
    static Path write(Path to, String version, Path project) throws IOException {
        Path file = to.resolve(RESOURCE);
        Files.createDirectories(file.resolveSibling(""));
        String commit = git(project, "rev-parse", "--short=10", "HEAD");
        boolean dirty =
                !git(project, "status", "--porcelain", "--untracked-files=no").isEmpty();
        Files.write(
                file,
                List.of("version=" + version, "commit=" + (commit.isEmpty() ? "unknown" : commit), "dirty=" + dirty));
        return to;
    }

    /** Returns what git prints; empty where it fails or is not installed. */
    private static String git(Path project, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .directory(project.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? text : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
