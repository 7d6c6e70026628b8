package dev.touchstone.index.hazelcast;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when an update was not applied, and will not be, because the cluster cannot take it now. The update may be tried again. */
public final class ReplicaUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message problem, for people
     * @param cause exception that led to this one, or null
     */
    public ReplicaUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
