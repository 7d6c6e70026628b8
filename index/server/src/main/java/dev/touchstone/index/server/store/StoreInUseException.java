package dev.touchstone.index.server.store;

import org.jspecify.annotations.Nullable;

/** Thrown when another process, or another store of this process, has the folder open. */
public final class StoreInUseException extends StoreException {
    private static final long serialVersionUID = 1;

    StoreInUseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
