package dev.touchstone.benchmarks.index.http;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Halves of the machine: the first one for the server, the other one for the load, so that neither takes time from the other. Without Linux' {@code taskset},
 * or with one processor only, both have all.
 */
final class Processors {
    private static final int PATIENCE_SECONDS = 10;

    private final Optional<Path> taskset;
    private final int count;

    private Processors(Optional<Path> taskset, int count) {
        this.taskset = taskset;
        this.count = count;
    }

    /**
     * Returns the processors of this machine, halved between server and load.
     *
     * @param arePinned whether to halve them; without {@code taskset} they are shared anyway
     */
    static Processors ofMachine(boolean arePinned) {
        int count = Runtime.getRuntime().availableProcessors();
        return new Processors(arePinned && count > 1 ? program("taskset") : Optional.empty(), count);
    }

    private static Optional<Path> program(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns whether server and load have processors of their own. */
    boolean areApart() {
        return taskset.isPresent();
    }

    /** Returns the number of processors that the server may use. */
    int ofServer() {
        return areApart() ? count / 2 : count;
    }

    /** Returns the words that pin a server, to be put before its command line; empty if it is not pinned. */
    List<String> serverPrefix() {
        return taskset.map(program -> List.of(program.toString(), "-c", "0-" + (ofServer() - 1)))
                .orElse(List.of());
    }

    /** Moves this JVM, with the threads that it has and will have, to the half of the load. */
    void moveThis() throws IOException {
        if (!areApart()) {
            return;
        }
        Process moving = new ProcessBuilder(
                        taskset.orElseThrow().toString(),
                        "-a",
                        "-c",
                        "-p",
                        ofServer() + "-" + (count - 1),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!moving.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || moving.exitValue() != 0) {
                throw new IOException("taskset cannot move this JVM");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            moving.destroy();
        }
    }
}
