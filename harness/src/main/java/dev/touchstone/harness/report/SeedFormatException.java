package dev.touchstone.harness.report;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a file of seed figures isn't what it should be; the message names the file and the place. */
public final class SeedFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    SeedFormatException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
