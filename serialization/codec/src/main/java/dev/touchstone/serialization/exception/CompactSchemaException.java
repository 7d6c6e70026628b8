package dev.touchstone.serialization.exception;

/**
 * A schema is none: it has a field twice, another fingerprint than it goes by, or another type than is read or written: the object that is to be
 * written is one of a subclass.
 */
public final class CompactSchemaException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;

    private CompactSchemaException(String what, String typeName) {
        super(what);
        this.typeName = typeName;
    }

    /** That two fields of a type have the same name. */
    public static CompactSchemaException duplicateField(String typeName, String fieldName) {
        return new CompactSchemaException("field twice: type=" + typeName + " field=" + fieldName, typeName);
    }

    /** That a schema goes by an id that is not its fingerprint. */
    public static CompactSchemaException forged(String typeName, long expected, long actual) {
        return new CompactSchemaException(
                "schema has another fingerprint: type=" + typeName + " expected=" + Long.toHexString(expected)
                        + " actual=" + Long.toHexString(actual),
                typeName);
    }

    /** That the bytes of a schema are none. */
    public static CompactSchemaException malformed(String what, int offset) {
        return new CompactSchemaException("not a schema: " + what + " offset=" + offset, "");
    }

    public static CompactSchemaException otherType(String expected, String actual) {
        return new CompactSchemaException("record of another type: expected=" + expected + " actual=" + actual, actual);
    }

    public static CompactSchemaException noCodec(String typeName) {
        return new CompactSchemaException("no codec: type=" + typeName, typeName);
    }

    static CompactSchemaException subclass(String typeName, String className) {
        return new CompactSchemaException(
                "object of a subclass, whose own fields the schema does not have: type=" + typeName + " class="
                        + className + "; declare the field with a sealed @Compact type that permits both classes",
                typeName);
    }

    /** The name of the type, or empty where it is not known. */
    public String typeName() {
        return typeName;
    }
}
