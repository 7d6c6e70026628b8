package dev.touchstone.index;

import java.util.List;

/** Thrown when a field is named that the index does not have. */
public final class UnknownFieldException extends IndexException {
    private final String field;

    /**
     * Creates an exception.
     *
     * @param field name that was given
     * @param known names of the fields of the index
     */
    public UnknownFieldException(String field, List<String> known) {
        super("no such field: name=" + InvalidValueException.shown(field) + " fields=" + known, null);
        this.field = field;
    }

    /**
     * Returns the name that was given.
     *
     * @return name of the field
     */
    public String field() {
        return field;
    }
}
