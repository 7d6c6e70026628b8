package dev.touchstone.builds;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A command of ours in a process of its own, which can be killed and started again. */
final class CommandProcess implements AutoCloseable {
    static final String TOKEN = "a token for tests";

    private final List<String> before;
    private final List<String> jvmFlags;
    private final Path errors;
    private String classPath;
    private Process process;
    private String ready;

    /**
     * Starts it.
     *
     * @param errors file for what it says
     */
    CommandProcess(List<String> jvmFlags, List<String> arguments, Path errors) throws IOException {
        this(List.of(), System.getProperty("java.class.path"), jvmFlags, arguments, errors);
    }

    /**
     * Starts it through another program.
     *
     * @param before words before the JVM's
     * @param classPath of the JVM
     */
    CommandProcess(List<String> before, String classPath, List<String> jvmFlags, List<String> arguments, Path errors)
            throws IOException {
        this.before = before;
        this.jvmFlags = jvmFlags;
        this.errors = errors;
        this.classPath = classPath;
        start(arguments);
    }

    /** Returns the words of a command. */
    static List<String> words(List<String> jvmFlags, String classPath, List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("-XX:TieredStopAtLevel=1");
        words.addAll(jvmFlags);
        words.addAll(List.of("-cp", classPath));
        words.add("dev.touchstone.builds.cli.Main");
        words.addAll(arguments);
        return words;
    }

    /** Has the next start run another program. */
    void use(String otherClassPath) {
        classPath = otherClassPath;
    }

    /** A file with the token, as its owner's only. */
    static Path tokenFile(Path folder) throws IOException {
        Path file = folder.resolve("token");
        if (!Files.exists(file)) {
            Files.writeString(file, TOKEN + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file;
    }

    /** Starts it, for the first time or again, and returns when it is ready. */
    void start(List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(before);
        all.addAll(words(jvmFlags, classPath, arguments));
        process = new ProcessBuilder(all)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null && !line.startsWith("ready: ")) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IOException("does not start: " + arguments + "\n" + Files.readString(errors));
        }
        ready = line;
    }

    /** What it said when it was ready. */
    String ready() {
        return ready;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** kill -9, and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
