package dev.touchstone.builds.agent.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Programs by name, as a shell finds them, but never in the folder where it happens to stand. */
public final class Programs {
    private Programs() {}

    /** Returns the absolute path of the first program of that name on the PATH. */
    public static Optional<Path> find(String name, Map<String, String> environment) {
        String path = environment.getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            Optional<Path> program = in(folder, name);
            if (program.isPresent()) {
                return program;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> in(String folder, String name) {
        try {
            Path program = Path.of(folder, name);
            boolean usable = program.isAbsolute() && Files.isRegularFile(program) && Files.isExecutable(program);
            return usable ? Optional.of(program) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
