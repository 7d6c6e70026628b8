package dev.touchstone.builds.agent.isolation;

import dev.touchstone.builds.agent.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The boundary around an agent's scripts. Implementations are immutable. */
public interface Isolation {
    /**
     * Returns the isolation that an operator asked for.
     *
     * @param environment the agent's own, on whose PATH programs are looked for
     * @param own folders of the agent, no part of which scripts may see but what {@link #enclose} is given
     * @throws IsolationException if this machine cannot have the isolation, or if a path in the options would show what is to be hidden
     */
    static Isolation of(IsolationOptions options, Map<String, String> environment, List<Path> own) throws IOException {
        return switch (options.mode()) {
            case NONE -> new NoIsolation();
            case SANDBOX -> Sandbox.open(options, environment, own);
            case AUTO -> {
                try {
                    yield Sandbox.open(options, environment, own);
                } catch (SandboxMissingException e) {
                    yield new NoIsolation(String.valueOf(e.getMessage()));
                }
            }
        };
    }

    /** Returns the name of the mode that this is, as the command line spells it. */
    String name();

    /** Returns why there is nothing better although the operator would have taken it; empty if there is no such reason. */
    String shortcoming();

    /** Returns whether scripts can start the program. */
    boolean sees(Path program);

    /** Returns the agent's environment with what has no meaning on the other side of the boundary left out or replaced. */
    Map<String, String> environment(Map<String, String> agents);

    /**
     * Returns a command that runs another behind the boundary.
     *
     * @param workspace folder that the command may write; others see it at the same path
     * @param lent folders that it may read
     * @param report file for {@link #checkBegun}, in a folder that the command does not see
     * @throws IOException if the report cannot be made
     */
    Command enclose(Command command, Path workspace, List<Path> lent, Path report) throws IOException;

    /**
     * Returns the pid that the first process behind the boundary has before it. All others behind it end before that one does.
     *
     * @return the pid, or empty if there is no such process
     * @throws IOException if the report cannot be read
     */
    OptionalLong firstInside(Path report) throws IOException;

    /**
     * Checks that an enclosed command, which has ended by itself, had begun.
     *
     * @param exitCode how the program that encloses it ended
     * @throws IsolationException if that program failed before
     */
    void checkBegun(int exitCode, Path report) throws IOException;
}
