package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.source.name.CommitId;
import java.nio.file.Path;
import java.util.List;

/**
 * A tree in its workspace.
 *
 * @param workspace folder of the repository and branch; what a build leaves there, the next one finds
 * @param source the tree itself, as the commit has it and with nothing else in it
 * @param lent folders outside of the workspace from which git reads in the tree: objects of the mirrors, and a remote repository on this machine
 * @param notes for the reader of the log
 */
public record Checkout(Path workspace, Path source, CommitId commit, List<Path> lent, List<String> notes) {
    public Checkout {
        lent = List.copyOf(lent);
        notes = List.copyOf(notes);
    }
}
