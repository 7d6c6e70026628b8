package dev.touchstone.builds.agent.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** A folder of named pipes, each to be used once. Java cannot make them, so a program makes some at a time. Thread-safe. */
public final class NamedPipes {
    /*
     * Who calls:  executors; while one has the program make pipes, the others wait.
     * Invariants: a pipe is in `unused` until it is taken, and no name is given twice, so that no script has the pipe of another build.
     * Failure:    if the program fails, what it has made is removed, and the next call tries again with other names.
     */
    private static final int BATCH = 16;
    private static final Duration MAX_MAKING = Duration.ofSeconds(20);

    private final Path folder;

    @GuardedBy("this")
    private final Deque<Path> unused = new ArrayDeque<>();

    @GuardedBy("this")
    private long made;

    /**
     * Makes the folder, or removes what is in it.
     *
     * @throws IOException if it cannot be made or emptied
     */
    public NamedPipes(Path folder) throws IOException {
        this.folder = OwnerOnly.folder(folder);
        try (Stream<Path> earlier = Files.list(folder)) {
            for (Path pipe : (Iterable<Path>) earlier::iterator) {
                Files.deleteIfExists(pipe);
            }
        }
    }

    /**
     * Returns a pipe that only its owner may open, and that nobody has used. Whoever gets it removes it.
     *
     * @throws IOException if none can be made
     */
    public synchronized Path take() throws IOException {
        if (unused.isEmpty()) {
            make();
        }
        return unused.removeFirst();
    }

    @GuardedBy("this")
    private void make() throws IOException {
        List<Path> pipes = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of("mkfifo", "-m", "600", "--"));
        for (int i = 0; i < BATCH; i++) {
            Path pipe = folder.resolve(Long.toString(made++));
            pipes.add(pipe);
            words.add(pipe.toString());
        }
        QuietCommand.Report report = QuietCommand.report(words, MAX_MAKING);
        if (report.exitCode() != 0) {
            for (Path pipe : pipes) {
                Files.deleteIfExists(pipe);
            }
            throw new IOException("pipe for the output cannot be made: folder=" + folder + " exitCode="
                    + report.exitCode() + " said=\"" + report.output().strip() + "\"");
        }
        unused.addAll(pipes);
    }
}
