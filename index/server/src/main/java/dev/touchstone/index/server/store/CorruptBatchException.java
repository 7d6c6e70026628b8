package dev.touchstone.index.server.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when bytes are not an encoded batch. The message names the part, what was expected and the place. */
final class CorruptBatchException extends IOException {
    private static final long serialVersionUID = 1;

    CorruptBatchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
