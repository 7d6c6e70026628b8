package dev.touchstone.builds.agent;

import java.io.IOException;

/** The agent has no such attempt, or was told to forget it. */
public final class UnknownJobException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownJobException(String jobId, int attempt) {
        super("no attempt=" + attempt + " of jobId=" + jobId + " here");
    }
}
