package dev.touchstone.index;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a file is damaged or is not an index file. */
public final class CorruptIndexException extends IOException {
    private final String section;

    /**
     * Creates an exception.
     *
     * @param message problem, for people
     * @param section name of the section of the file that is damaged
     * @param cause exception that led to this one, or null
     */
    public CorruptIndexException(String message, String section, @Nullable Throwable cause) {
        super(message + " section=" + section, cause);
        this.section = section;
    }

    /**
     * Returns the section of the file that is damaged.
     *
     * @return name of the section
     */
    public String section() {
        return section;
    }
}
