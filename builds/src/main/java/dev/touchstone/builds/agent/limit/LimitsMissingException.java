package dev.touchstone.builds.agent.limit;

import java.io.IOException;

/** Thrown when a machine cannot hold limits; the message says why, and what to do. */
public final class LimitsMissingException extends IOException {
    private static final long serialVersionUID = 1;

    LimitsMissingException(String message) {
        super(message);
    }

    LimitsMissingException(String message, IOException cause) {
        super(message, cause);
    }
}
