package dev.touchstone.index;

import org.jspecify.annotations.Nullable;

/** What an index was given, or asked, is not possible. The message names the thing, its value and its place. */
public abstract sealed class IndexException extends RuntimeException
        permits InvalidValueException, UnknownFieldException {
    IndexException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
