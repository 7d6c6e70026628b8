package dev.touchstone.messaging.databind;

import org.jspecify.annotations.Nullable;

/** A term that is not the record that was asked for; the message begins with the component, as {@code Order.price}. */
public final class DatabindException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabindException(String message) {
        super(message);
    }

    DatabindException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
