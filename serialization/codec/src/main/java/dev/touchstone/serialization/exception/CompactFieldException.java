package dev.touchstone.serialization.exception;

/**
 * Thrown when a field is read or written in a way that its schema does not allow: the field is missing, is of another kind, is null where there must
 * be a value, or is written twice or not at all. The bytes are intact, but the code that reads or writes them does not fit.
 */
public final class CompactFieldException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final String fieldName;

    /**
     * Creates an exception.
     *
     * @param what problem, for people
     * @param typeName name of the type of the record
     * @param fieldName name of the field
     */
    public CompactFieldException(String what, String typeName, String fieldName) {
        super(what + " type=" + typeName + " field=" + fieldName);
        this.typeName = typeName;
        this.fieldName = fieldName;
    }

    /**
     * Returns the type of the record, which may be inside another record.
     *
     * @return name of the type
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns the name of the field.
     *
     * @return name of the field
     */
    public String fieldName() {
        return fieldName;
    }
}
