package dev.touchstone.builds.agent.store;

import java.io.IOException;

/** Says that bytes were read which are of no attempt. */
final class JobFormatException extends IOException {
    private static final long serialVersionUID = 1;

    JobFormatException(String message, IOException cause) {
        super(message, cause);
    }

    JobFormatException(String message) {
        super(message);
    }
}
