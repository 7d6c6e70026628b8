package dev.touchstone.builds.agent.process;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What to start.
 *
 * @param words the program, by its absolute path, and its arguments
 * @param folder where it starts
 * @param environment all of it; nothing of the agent's own is added but the mark
 * @param output where standard output and standard error go, both in the order in which they are written
 * @param mark value of {@link Launcher#MARK} by which all that it starts is found again
 */
public record Command(List<String> words, Path folder, Map<String, String> environment, Redirect output, String mark) {
    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }
}
