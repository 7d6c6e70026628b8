package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.process.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Looks for processes of jobs, without the code under test. */
public final class Marked {
    private Marked() {}

    /** Pids of live processes that were started below a folder and whose mark begins so; those of other tests on this machine do not count. */
    public static List<String> processes(Path below, String markStart) throws IOException {
        Path root = below.toRealPath();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> isBelow(process, root) && isMarked(process, Launcher.MARK + "=" + markStart))
                    .map(process -> process.getFileName().toString())
                    .toList();
        }
    }

    private static boolean isBelow(Path process, Path root) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(root);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isMarked(Path process, String entry) {
        try {
            String environment =
                    new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains("\0" + entry);
        } catch (IOException e) {
            return false;
        }
    }
}
