package dev.touchstone.index.server.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a store cannot do what it was asked to, for a reason outside the arguments. The message names the folder or file, and the next step. */
public abstract sealed class StoreException extends IOException
        permits StoreDamagedException, StoreFailedException, StoreInUseException {
    private static final long serialVersionUID = 1;

    StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
