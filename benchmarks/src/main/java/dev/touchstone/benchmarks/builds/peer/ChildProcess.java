package dev.touchstone.benchmarks.builds.peer;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A master or an agent in a JVM of its own, started as its users start it. */
final class ChildProcess implements Closeable {
    private static final String MAIN = "dev.touchstone.builds.cli.Main";
    private static final String READY = "ready: ";
    private static final int PATIENCE_SECONDS = 60;
    private static final int ENDING_SECONDS = 15;

    private final Process process;
    private final String ready;

    private ChildProcess(Process process, String ready) {
        this.process = process;
        this.ready = ready;
    }

    /**
     * Starts one, and waits until it says that it is ready.
     *
     * @param errors file for what it says on its error output
     */
    static ChildProcess start(String classPath, List<String> flags, List<String> arguments, Path errors)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-classpath", classPath, MAIN));
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        CompletableFuture<@Nullable String> first = CompletableFuture.supplyAsync(() -> line(out));
        try {
            String line = first.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line != null && line.startsWith(READY)) {
                return new ChildProcess(process, line.substring(READY.length()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // told below
        }
        process.destroyForcibly();
        throw new IOException("process is not ready: " + arguments.get(0) + ": " + Files.readString(errors));
    }

    private static @Nullable String line(BufferedReader out) {
        try {
            return out.readLine();
        } catch (IOException e) {
            return null; // it has ended
        }
    }

    /** Returns the line by which the process told that it is ready. */
    String ready() {
        return ready;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
