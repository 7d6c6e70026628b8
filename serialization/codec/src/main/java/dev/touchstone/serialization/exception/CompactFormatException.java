package dev.touchstone.serialization.exception;

/** Thrown when bytes are not a record of their schema. */
public final class CompactFormatException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final String fieldName;
    private final int offset;

    /**
     * Creates an exception.
     *
     * @param what problem, for people
     * @param typeName name of the type of the record, or empty if its schema is not known yet
     * @param fieldName name of the field that was read, or empty if none was
     * @param offset offset of the damage in the array, in bytes
     */
    public CompactFormatException(String what, String typeName, String fieldName, int offset) {
        super(what + " type=" + typeName + " field=" + fieldName + " offset=" + offset);
        this.typeName = typeName;
        this.fieldName = fieldName;
        this.offset = offset;
    }

    /**
     * Returns the type of the record, which may be inside another record.
     *
     * @return name of the type, or empty if the schema was not known yet
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns the field that was read.
     *
     * @return name of the field, or empty if no field was read
     */
    public String fieldName() {
        return fieldName;
    }

    /**
     * Returns the offset of the damage in the array.
     *
     * @return offset in bytes
     */
    public int offset() {
        return offset;
    }
}
