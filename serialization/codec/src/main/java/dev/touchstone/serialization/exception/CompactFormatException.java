package dev.touchstone.serialization.exception;

/** The bytes are no record of their schema. */
public final class CompactFormatException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final String fieldName;
    private final int offset;

    public CompactFormatException(String what, String typeName, String fieldName, int offset) {
        super(what + " type=" + typeName + " field=" + fieldName + " offset=" + offset);
        this.typeName = typeName;
        this.fieldName = fieldName;
        this.offset = offset;
    }

    /** The type of the record, which may be one inside another, or empty where its schema is not known yet. */
    public String typeName() {
        return typeName;
    }

    /** The field that was read, or empty where it was none. */
    public String fieldName() {
        return fieldName;
    }

    /** Where in the array that was read. */
    public int offset() {
        return offset;
    }
}
