package dev.touchstone.index;

import org.jspecify.annotations.Nullable;

/** Thrown when a value is not one that its field, or a price, can have. */
public final class InvalidValueException extends IndexException {
    /**
     * Creates an exception.
     *
     * @param message problem, for people
     */
    public InvalidValueException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message problem, for people
     * @param cause exception that led to this one, or null
     */
    public InvalidValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
