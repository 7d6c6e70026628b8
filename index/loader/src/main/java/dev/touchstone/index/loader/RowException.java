package dev.touchstone.index.loader;

import org.jspecify.annotations.Nullable;

/** Thrown when a row is not a price. */
final class RowException extends Exception {
    private static final long serialVersionUID = 1;

    /** A line number that stands for the line at which the source is when the exception is caught. */
    static final long CURRENT_LINE = 0;

    private final long line;
    private final String column;
    private final String value;

    RowException(String column, String value, String reason, @Nullable Throwable cause) {
        this(CURRENT_LINE, column, value, reason, cause);
    }

    RowException(long line, String column, String value, String reason, @Nullable Throwable cause) {
        super(reason, cause, false, false); // bad rows may be as many as good ones
        this.line = line;
        this.column = column;
        this.value = value;
    }

    RowError error(long currentLine) {
        return new RowError(
                line == CURRENT_LINE ? currentLine : line, column, RowError.shown(value), String.valueOf(getMessage()));
    }
}
