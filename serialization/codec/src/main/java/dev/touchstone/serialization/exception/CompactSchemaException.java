package dev.touchstone.serialization.exception;

/**
 * Thrown when a schema is not valid or not the right one: it has a field twice, its fingerprint is not the expected one, its bytes are damaged, its
 * type is not the one that is read, no codec is known for its type, or an object to write is one of a subclass.
 */
public final class CompactSchemaException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;

    private CompactSchemaException(String what, String typeName) {
        super(what);
        this.typeName = typeName;
    }

    /**
     * Returns the exception for two fields of a type with the same name.
     *
     * @param typeName name of the type
     * @param fieldName name of the fields
     * @return an exception to throw
     */
    public static CompactSchemaException duplicateField(String typeName, String fieldName) {
        return new CompactSchemaException("field twice: type=" + typeName + " field=" + fieldName, typeName);
    }

    /**
     * Returns the exception for a schema whose id is not its fingerprint.
     *
     * @param typeName name of the type
     * @param expected id by which the schema was looked up
     * @param actual fingerprint of the schema
     * @return an exception to throw
     */
    public static CompactSchemaException forged(String typeName, long expected, long actual) {
        return new CompactSchemaException(
                "schema has another fingerprint: type=" + typeName + " expected=" + Long.toHexString(expected)
                        + " actual=" + Long.toHexString(actual),
                typeName);
    }

    /**
     * Returns the exception for bytes that are not a schema.
     *
     * @param what problem, for people
     * @param offset offset of the problem in the bytes
     * @return an exception to throw
     */
    public static CompactSchemaException malformed(String what, int offset) {
        return new CompactSchemaException("not a schema: " + what + " offset=" + offset, "");
    }

    /**
     * Returns the exception for a record of another type than the one that is read.
     *
     * @param expected name of the type that is read
     * @param actual name of the type of the record
     * @return an exception to throw
     */
    public static CompactSchemaException otherType(String expected, String actual) {
        return new CompactSchemaException("record of another type: expected=" + expected + " actual=" + actual, actual);
    }

    /**
     * Returns the exception for a type without a codec.
     *
     * @param typeName name of the type in its schema, or of the class of an object to write
     * @return an exception to throw
     */
    public static CompactSchemaException noCodec(String typeName) {
        return new CompactSchemaException("no codec: type=" + typeName, typeName);
    }

    /**
     * Returns the exception for an object whose class extends the one that a codec is for.
     *
     * @param typeName name of the codec's type
     * @param className name of the object's class
     * @return an exception to throw
     */
    public static CompactSchemaException subclass(String typeName, String className) {
        return new CompactSchemaException(
                "object of a subclass, whose own fields the schema does not have: type=" + typeName + " class="
                        + className + "; declare the field with a sealed @Compact type that permits both classes",
                typeName);
    }

    /**
     * Returns the name of the type.
     *
     * @return name, or empty if it is not known
     */
    public String typeName() {
        return typeName;
    }
}
