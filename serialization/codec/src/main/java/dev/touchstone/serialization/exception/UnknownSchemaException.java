package dev.touchstone.serialization.exception;

/** A record refers to a schema that nobody knows. The bytes may be sound: they can be read once the schema is there. */
public final class UnknownSchemaException extends CompactException {
    private static final long serialVersionUID = 1;

    private final long schemaId;

    public UnknownSchemaException(long schemaId, int offset) {
        super("unknown schema: id=" + Long.toHexString(schemaId) + " offset=" + offset);
        this.schemaId = schemaId;
    }

    /** The fingerprint of the schema. */
    public long schemaId() {
        return schemaId;
    }
}
