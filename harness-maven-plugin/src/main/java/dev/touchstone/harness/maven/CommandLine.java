package dev.touchstone.harness.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A command line of the harness, and the process that runs it. Not thread-safe. */
final class CommandLine {
    private static final String MAIN = "dev.touchstone.harness.cli.Main";

    private final List<String> words = new ArrayList<>();

    CommandLine(String command) {
        words.add(command);
    }

    /** Adds an option with its value, unless it is null. */
    CommandLine option(String name, @Nullable Object value) {
        if (value != null) {
            words.add(name + "=" + value);
        }
        return this;
    }

    /** Adds an option once for each value, if there are any. */
    CommandLine options(String name, @Nullable List<String> values) {
        (values == null ? List.<String>of() : values).forEach(value -> option(name, value));
        return this;
    }

    /** Adds an option without a value, if it is on. */
    CommandLine flag(String name, boolean on) {
        if (on) {
            words.add(name);
        }
        return this;
    }

    /** Adds words as they are, if there are any. */
    CommandLine words(@Nullable List<String> more) {
        words.addAll(more == null ? List.of() : more);
        return this;
    }

    /** Returns the words. */
    List<String> words() {
        return List.copyOf(words);
    }

    /**
     * Runs the command in a JVM of this JDK, with the streams of this process.
     *
     * @param own folder for the file with the JVM's arguments, which may be too long for a command line; is made
     * @param project folder to run in
     * @return the exit code
     */
    int run(List<Path> classPath, Path own, Path project) throws IOException, InterruptedException {
        Files.createDirectories(own);
        Path arguments = Files.writeString(own.resolve("class-path.args"), "-cp " + quoted(classPath) + "\n");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.add("@" + arguments);
        command.add(MAIN);
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .directory(project.toFile())
                .inheritIO()
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    private static String quoted(List<Path> classPath) {
        String text = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return '"' + text.replace("\\", "\\\\") + '"';
    }
}
