package dev.touchstone.index.loader;

import org.jspecify.annotations.Nullable;

/** A source as a whole is not usable, or has more bad rows than it may have. The message says which and why. */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
