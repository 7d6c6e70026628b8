package dev.touchstone.builds.agent.process;

import dev.touchstone.builds.agent.limit.ControlGroup;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program to start, and what it starts with.
 *
 * @param words the program, by its absolute path, and its arguments
 * @param folder where it starts
 * @param environment all of it; nothing of the agent's own is added but the mark
 * @param output where standard output and standard error go, both in the order in which they are written
 * @param mark value of {@link Launcher#MARK} by which all that it starts is found again
 * @param sandbox mount point that only processes of the command have; null if it runs without a sandbox
 * @param group control group that the command enters; null if it stays in the agent's
 */
public record Command(
        List<String> words,
        Path folder,
        Map<String, String> environment,
        Redirect output,
        String mark,
        @Nullable Path sandbox,
        @Nullable ControlGroup group) {
    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Makes a command that runs without a sandbox. */
    public Command(List<String> words, Path folder, Map<String, String> environment, Redirect output, String mark) {
        this(words, folder, environment, output, mark, null, null);
    }

    /** Returns this command as the words of a program that runs it in a sandbox, which has a mount point that no other has. */
    public Command enclosed(List<String> through, Path mountPoint) {
        return new Command(through, folder, environment, output, mark, mountPoint, group);
    }

    /** Returns this command in a control group of its own. */
    public Command in(ControlGroup entered) {
        return new Command(entered.entered(words), folder, environment, output, mark, sandbox, entered);
    }
}
