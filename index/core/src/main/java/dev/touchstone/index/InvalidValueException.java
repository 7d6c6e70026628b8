package dev.touchstone.index;

import org.jspecify.annotations.Nullable;

/** A value is not one that its field, or a price, can have. */
public final class InvalidValueException extends IndexException {
    public InvalidValueException(String message) {
        this(message, null);
    }

    public InvalidValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
