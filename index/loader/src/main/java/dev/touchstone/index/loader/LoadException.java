package dev.touchstone.index.loader;

import org.jspecify.annotations.Nullable;

/** Thrown when a source as a whole is not usable, or has more bad rows than allowed. The message tells which row or column, and why. */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
