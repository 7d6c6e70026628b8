package dev.touchstone.index.hazelcast;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when it is not known whether an update was or will be applied. A batch that states prices as they shall be may be sent again. */
public final class UnknownOutcomeException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message problem, for people
     * @param cause exception that led to this one, or null
     */
    public UnknownOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
