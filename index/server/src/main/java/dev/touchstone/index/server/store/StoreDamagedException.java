package dev.touchstone.index.server.store;

import org.jspecify.annotations.Nullable;

/** Thrown when the snapshot or an entry of the log that is needed cannot be read. Nothing was changed. */
public final class StoreDamagedException extends StoreException {
    private static final long serialVersionUID = 1;

    StoreDamagedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
