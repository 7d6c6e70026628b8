package dev.touchstone.builds.agent.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A tree could not be brought into its workspace. */
public final class SourceException extends IOException {
    private static final long serialVersionUID = 1;

    private final Step step;

    /** The step that failed. */
    public enum Step {
        /** The folders of the workspace. */
        WORKSPACE,
        /** The folder of the sources. */
        SOURCE_FOLDER,
        /** The mirror, the tree, or the git command. */
        VCS,
        /** The repository does not answer, or does not have what was asked for. */
        PULL,
        /** The device is full. */
        NO_SPACE
    }

    SourceException(Step step, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.step = step;
    }

    public Step step() {
        return step;
    }
}
