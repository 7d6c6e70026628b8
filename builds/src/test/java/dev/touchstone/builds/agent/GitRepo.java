package dev.touchstone.builds.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real git repository in a folder, written by the git command. */
public final class GitRepo {
    private final Path folder;

    private GitRepo(Path folder) {
        this.folder = folder;
    }

    /** A new one, with a branch master that has no commit. */
    public static GitRepo create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        GitRepo repo = new GitRepo(folder);
        repo.git("init", "--quiet", "--initial-branch=master");
        repo.git("config", "uploadpack.allowAnySHA1InWant", "true");
        return repo;
    }

    /** One whose master has the script {@code build.sh}. */
    public static GitRepo withScript(Path folder, String... lines) {
        return create(folder).commitScript(lines);
    }

    public Path folder() {
        return folder;
    }

    public String url() {
        return "file://" + folder;
    }

    public GitRepo commitScript(String... lines) {
        write("build.sh", "#!/bin/bash\n" + String.join("\n", lines) + "\n");
        commit();
        return this;
    }

    public GitRepo write(String path, String content) {
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits all that is in the folder; returns the commit. */
    public String commit() {
        git("add", "--all");
        git("commit", "--quiet", "--allow-empty", "--message", "test");
        return head();
    }

    public String head() {
        return git("rev-parse", "HEAD").strip();
    }

    public GitRepo branch(String name) {
        git("checkout", "--quiet", "-B", name);
        return this;
    }

    /** Runs git here; returns what it says. */
    public String git(String... arguments) {
        return git(folder, arguments);
    }

    public static String git(Path folder, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                "git",
                "-c",
                "user.name=test",
                "-c",
                "user.email=test@example.invalid",
                "-c",
                "protocol.file.allow=always",
                "-c",
                "commit.gpgSign=false"));
        words.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new AssertionError("git " + List.of(arguments) + " failed: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
