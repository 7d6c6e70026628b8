package dev.touchstone.messaging.databind;

import org.jspecify.annotations.Nullable;

/** A failure to convert between a value and a term. The message begins with the place of the failure, as {@code Order.price}. */
public final class DatabindException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabindException(String message) {
        super(message);
    }

    DatabindException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
