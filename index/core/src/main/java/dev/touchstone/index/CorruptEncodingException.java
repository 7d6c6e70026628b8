package dev.touchstone.index;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when bytes are not an encoded batch or query. The message names the part, what was expected and the place. */
public final class CorruptEncodingException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message problem, for people
     * @param cause exception that led to this one, or null
     */
    public CorruptEncodingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
