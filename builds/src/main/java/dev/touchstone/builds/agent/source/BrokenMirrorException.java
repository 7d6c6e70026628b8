package dev.touchstone.builds.agent.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A mirror does not work, and the repository that it mirrors is not known to be the reason. */
final class BrokenMirrorException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenMirrorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
