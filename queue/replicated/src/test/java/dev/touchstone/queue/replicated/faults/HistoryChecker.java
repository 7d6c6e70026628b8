package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks histories by Porcupine, which a small program in Go calls (src/test/go/histories); {@code go} builds it. {@code GO} names the command,
 * else it is that of the path, or of the folder where its installer puts it. With {@code -Dhistories=required} nothing may be missing.
 */
final class HistoryChecker {
    private static final Path SOURCE = Path.of("src", "test", "go", "histories");
    private static final Path PROGRAM = Path.of("target", "histories").toAbsolutePath();

    private HistoryChecker() {}

    /** An answer: whether all histories are linearizable, and a line for each. */
    record Answer(boolean isGood, String text) {}

    /** Builds the program; skips the test that calls this if that is not possible here. */
    static void require() throws IOException, InterruptedException {
        Path go = command();
        demand(go != null, "go is missing, which builds the checker of histories (GO names it)");
        if (go != null) {
            Answer built = run(List.of(go.toString(), "build", "-o", PROGRAM.toString(), "."), SOURCE);
            demand(built.isGood, "the checker of histories cannot be built: " + built.text);
        }
    }

    private static void demand(boolean isThere, String otherwise) {
        if (!isThere && "required".equals(System.getProperty("histories"))) {
            throw new AssertionError(otherwise);
        }
        assumeTrue(isThere, otherwise);
    }

    private static @Nullable Path command() {
        String named = System.getenv("GO");
        if (named != null) {
            return Path.of(named);
        }
        String folders = System.getenv("PATH") + File.pathSeparator + Path.of("/", "usr", "local", "go", "bin");
        return Stream.of(folders.split(File.pathSeparator))
                .map(folder -> Path.of(folder, "go"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Checks histories, each in a file. */
    static Answer check(List<Path> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        files.forEach(file -> command.add(file.toString()));
        return run(command, Path.of(""));
    }

    private static Answer run(List<String> command, Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Answer(process.waitFor() == 0, text);
    }

    /** Writes the parts of a history, one of each member, into one file, in the order of their times. */
    static Path merge(List<Path> parts, Path merged) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path part : parts) {
            if (Files.exists(part)) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        lines.sort((a, b) -> Long.compare(nanos(a), nanos(b)));
        return Files.write(merged, lines);
    }

    private static long nanos(String line) {
        return Long.parseLong(line.split(" ", -1)[3]);
    }
}
