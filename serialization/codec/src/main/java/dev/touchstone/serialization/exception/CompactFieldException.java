package dev.touchstone.serialization.exception;

/**
 * A field was asked for, or written, in a way that its schema does not have: it is missing, of another kind, null where there must be a
 * value, written twice or not at all. The bytes are sound; what reads or writes them does not fit.
 */
public final class CompactFieldException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final String fieldName;

    public CompactFieldException(String what, String typeName, String fieldName) {
        super(what + " type=" + typeName + " field=" + fieldName);
        this.typeName = typeName;
        this.fieldName = fieldName;
    }

    /** The type of the record, which may be one inside another. */
    public String typeName() {
        return typeName;
    }

    /** The name of the field. */
    public String fieldName() {
        return fieldName;
    }
}
