package dev.touchstone.builds.hook;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The state of a build as a forge is told. Immutable.
 *
 * @param context name under which the forge shows the build, the same for all builds of a hook
 * @param text one line for people
 * @param link page of the job; null if there is none that people can reach
 */
public record StatusReport(
        State state, String context, String text, @Nullable URI link) {
    /** The steps of a build that forges know. */
    public enum State {
        /** Waits for an agent. */
        PENDING,
        /** An agent has it. */
        RUNNING,
        /** The script succeeded. */
        SUCCESS,
        /** The script failed, or ran for too long. */
        FAILURE,
        /** The build was cancelled, or did not run to its end. */
        ERROR;

        boolean isLast() {
            return this == SUCCESS || this == FAILURE || this == ERROR;
        }
    }
}
