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

/** A master in a process of its own, which can be killed. */
final class MasterProcess implements AutoCloseable {
    private final Path folder;
    private final Path token;
    private final List<String> arguments;
    private final List<String> jvmFlags;
    private Process process;
    private int port;

    MasterProcess(Path folder, List<String> jvmFlags, List<String> arguments) throws IOException {
        this.folder = folder;
        this.arguments = arguments;
        this.jvmFlags = jvmFlags;
        this.token = folder.resolve("token");
        Files.writeString(token, "a token for tests\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        start();
    }

    /** Starts it, on the port of the one before, and returns when it is ready. */
    void start() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(jvmFlags);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "dev.touchstone.builds.cli.Main", "master"));
        command.addAll(List.of("--folder", folder.resolve("master").toString(), "--port", Integer.toString(port)));
        command.addAll(List.of("--token-file", token.toString()));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectError(folder.resolve("master.err").toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String ready = out.readLine();
        if (ready == null || !ready.startsWith("ready: ")) {
            throw new IOException(
                    "master does not start: " + ready + "\n" + Files.readString(folder.resolve("master.err")));
        }
        port = Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1));
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
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
