package dev.touchstone.builds.agent.process;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The interpreters of scripts that this machine has. Immutable. */
public final class Runners {
    /** The original's names, and the programs that stand for each, best first. */
    private static final Map<String, List<String>> PROGRAMS = Map.of(
            "bash", List.of("bash", "bash.exe"),
            "node", List.of("node", "node.exe"),
            "powershell", List.of("pwsh", "powershell", "pwsh.exe", "powershell.exe"),
            "cmd", List.of("cmd.exe"));

    private final SortedMap<String, Path> found;

    private Runners(SortedMap<String, Path> found) {
        this.found = found;
    }

    /** Looks on the PATH of {@code environment} for those that scripts can start. */
    public static Runners find(Map<String, String> environment, Predicate<Path> startable) {
        SortedMap<String, Path> found = new TreeMap<>();
        PROGRAMS.forEach((runner, programs) -> programs.stream()
                .map(program -> Programs.find(program, environment))
                .flatMap(Optional::stream)
                .filter(startable)
                .findFirst()
                .ifPresent(program -> found.put(runner, program)));
        return new Runners(found);
    }

    public SortedSet<String> names() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(found.keySet()));
    }

    /** Returns the words that run a script, which every runner is given as a file; empty if there is no such runner here. */
    public Optional<List<String>> command(String runner, Path script) {
        Path program = found.get(runner);
        if (program == null) {
            return Optional.empty();
        }
        String file = script.toString();
        return Optional.of(
                switch (runner) {
                    case "powershell" -> List.of(program.toString(), "-NoLogo", "-NonInteractive", "-File", file);
                    case "cmd" -> List.of(program.toString(), "/c", file);
                    default -> List.of(program.toString(), file);
                });
    }
}
