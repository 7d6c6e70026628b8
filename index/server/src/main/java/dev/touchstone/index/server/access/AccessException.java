package dev.touchstone.index.server.access;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a file of tokens, a certificate or a private key cannot be used. The message names the file and never its contents. */
public final class AccessException extends IOException {
    private static final long serialVersionUID = 1;

    AccessException(String message) {
        this(message, null);
    }

    AccessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
