package dev.touchstone.serialization.exception;

/** Thrown when a record refers to a schema that is not known. The bytes may be intact: the record can be read once the schema is available. */
public final class UnknownSchemaException extends CompactException {
    private static final long serialVersionUID = 1;

    private final long schemaId;

    /**
     * Creates an exception.
     *
     * @param schemaId fingerprint of the schema
     * @param offset offset in the array of the record that refers to the schema, in bytes
     */
    public UnknownSchemaException(long schemaId, int offset) {
        super("unknown schema: id=" + Long.toHexString(schemaId) + " offset=" + offset);
        this.schemaId = schemaId;
    }

    /**
     * Returns the fingerprint of the schema.
     *
     * @return fingerprint
     */
    public long schemaId() {
        return schemaId;
    }
}
