package dev.touchstone.index.server.store;

import org.jspecify.annotations.Nullable;

/** Thrown when the device or the file system failed, or the store is closed. Of an update, nothing is visible; it may be found when the store is opened. */
public final class StoreFailedException extends StoreException {
    private static final long serialVersionUID = 1;

    StoreFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
