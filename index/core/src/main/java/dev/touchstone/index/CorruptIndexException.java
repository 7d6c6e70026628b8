package dev.touchstone.index;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An index file is damaged, or is none. */
public final class CorruptIndexException extends IOException {
    private final String section;

    public CorruptIndexException(String message, String section, @Nullable Throwable cause) {
        super(message + " section=" + section, cause);
        this.section = section;
    }

    /** The part of the file that is damaged. */
    public String section() {
        return section;
    }
}
