package dev.touchstone.builds.agent.isolation;

import dev.touchstone.builds.agent.process.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The absence of a boundary. */
record NoIsolation(String shortcoming) implements Isolation {
    NoIsolation() {
        this("");
    }

    @Override
    public String name() {
        return "none";
    }

    @Override
    public boolean sees(Path program) {
        return true;
    }

    @Override
    public Map<String, String> environment(Map<String, String> agents) {
        return agents;
    }

    @Override
    public Command enclose(Command command, Path workspace, List<Path> lent, Path report) {
        return command;
    }

    @Override
    public OptionalLong firstInside(Path report) {
        return OptionalLong.empty();
    }

    @Override
    public void checkBegun(int exitCode, Path report) {
        // nothing comes before the command
    }
}
