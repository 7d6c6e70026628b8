package dev.touchstone.serialization.json;

/** Thrown where a JSON text is no record, or a record has no JSON. The message names the path, the value and the place in the text. */
public final class CompactJsonException extends RuntimeException {
    /** The line and the column of a failure that has no place in a text. */
    public static final int NO_PLACE = -1;

    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final String path;
    private final int line;
    private final int column;

    CompactJsonException(Reason reason, String what, String path, int line, int column) {
        super(message(what, path, line, column));
        this.reason = reason;
        this.path = path;
        this.line = line;
        this.column = column;
    }

    private static String message(String what, String path, int line, int column) {
        return what + " path=" + path + (line == NO_PLACE ? "" : " line=" + line + " column=" + column);
    }

    /**
     * Returns the reason of the failure.
     *
     * @return the reason of the failure
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Returns the path of the value that failed, such as {@code $.lines[3].price}.
     *
     * @return the path; {@code $} is the record itself
     */
    public String path() {
        return path;
    }

    /**
     * Returns the line in which the value begins.
     *
     * @return the line, counted from 1, or {@link #NO_PLACE}
     */
    public int line() {
        return line;
    }

    /**
     * Returns the column at which the value begins.
     *
     * @return the column in characters, counted from 1, or {@link #NO_PLACE}
     */
    public int column() {
        return column;
    }

    /** Reasons of failures. */
    public enum Reason {
        /** The text is not JSON, or ends too early, or goes on after its end. */
        SYNTAX,
        /** The type or the schema of a record is not known, not allowed here, or not stated before the fields. */
        TYPE,
        /** The type has no such field. */
        UNKNOWN_FIELD,
        /** An object has a member twice. */
        DUPLICATE_FIELD,
        /** A field is not there, and has neither a stated value nor nulls. */
        MISSING_FIELD,
        /** A value is none of the field's kind. */
        VALUE,
        /** A record, an array, a string or a number is larger than a limit allows. */
        LIMIT
    }
}
