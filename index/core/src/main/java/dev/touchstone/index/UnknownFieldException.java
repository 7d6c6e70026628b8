package dev.touchstone.index;

import java.util.List;

/** A field was named that the index doesn't have. */
public final class UnknownFieldException extends IndexException {
    private final String field;

    public UnknownFieldException(String field, List<String> known) {
        super("no such field: name=" + FieldType.shown(field) + " fields=" + known, null);
        this.field = field;
    }

    /** The name that was given. */
    public String field() {
        return field;
    }
}
