package dev.touchstone.index;

import org.jspecify.annotations.Nullable;

/** Thrown when a price or a query is not one that the index can have. The message tells the name, the value and the place. */
public abstract sealed class IndexException extends RuntimeException
        permits InvalidValueException, UnknownFieldException {
    IndexException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
