package dev.touchstone.index.server.api;

import java.io.IOException;

/** Thrown when an update was not applied, or may not have been. The message says which, and what the client can do; clients get it. */
public final class UpdateException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message problem, for the client
     * @param cause exception that led to this one
     */
    public UpdateException(String message, Throwable cause) {
        super(message, cause);
    }
}
