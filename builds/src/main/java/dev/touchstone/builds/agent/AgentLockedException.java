package dev.touchstone.builds.agent;

import java.io.IOException;

/** Another agent has the folder. */
public final class AgentLockedException extends IOException {
    private static final long serialVersionUID = 1;

    AgentLockedException(String message) {
        super(message);
    }
}
