package dev.touchstone.builds.agent.source.name;

import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;

/** A branch's name: one that git itself could have made, and that no program can take for an option. */
public record BranchName(String name) {
    /** A file system takes 255 bytes, and git puts {@code .lock} behind the last of them. */
    private static final int MAX_STEP_BYTES = 250;

    private static final int MAX_CHARS = 1_000;

    /**
     * Reads a name.
     *
     * @throws SourceRefusedException if no branch can have it
     */
    public static BranchName parse(String name) {
        if (name.isEmpty() || name.length() > MAX_CHARS) {
            throw refused(name, "is empty or longer than " + MAX_CHARS + " characters");
        }
        if (name.startsWith("-")) {
            throw refused(name, "begins with a dash");
        }
        if (!Repository.isValidRefName(Constants.R_HEADS + name)) {
            throw refused(name, "is no name of a branch");
        }
        for (String step : name.split("/", -1)) {
            if (step.endsWith(".lock") || step.getBytes(StandardCharsets.UTF_8).length > MAX_STEP_BYTES) {
                throw refused(name, "has a step that ends with .lock or has more than " + MAX_STEP_BYTES + " bytes");
            }
        }
        return new BranchName(name);
    }

    /** Returns the whole name of the reference. */
    public String ref() {
        return Constants.R_HEADS + name;
    }

    /** Returns the name of the branch's folders. */
    public String folder() {
        return Names.folder(name);
    }

    @Override
    public String toString() {
        return name;
    }

    private static SourceRefusedException refused(String name, String reason) {
        return new SourceRefusedException("branch", name, reason);
    }
}
