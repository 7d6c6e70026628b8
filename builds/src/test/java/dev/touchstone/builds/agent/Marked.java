package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.process.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Looks for processes of jobs, without the code under test. */
final class Marked {
    private Marked() {}

    /** Pids of live processes whose mark begins so. */
    static List<String> processes(String markStart) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> isMarked(process, Launcher.MARK + "=" + markStart))
                    .map(process -> process.getFileName().toString())
                    .toList();
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
