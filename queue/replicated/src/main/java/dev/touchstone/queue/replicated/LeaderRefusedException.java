package dev.touchstone.queue.replicated;

import java.io.IOException;

/** Thrown when the leader refuses a request, as the removal of a member that is none; nothing was changed. */
public final class LeaderRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    LeaderRefusedException(String message) {
        super(message);
    }
}
