package dev.touchstone.serialization.exception;

/**
 * Thrown when the code of an object or of its codec throws while the object is read or written: a constructor, a setter, a getter. The cause is the
 * exception of that code.
 */
public final class CompactObjectException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final int offset;

    /**
     * Creates an exception.
     *
     * @param what problem, for people
     * @param typeName name of the type of the object in its schema
     * @param offset offset of the record of the object in the array, in bytes
     * @param cause exception of the object or of its codec
     */
    public CompactObjectException(String what, String typeName, int offset, RuntimeException cause) {
        super(what + " type=" + typeName + " offset=" + offset + " cause="
                + cause.getClass().getName());
        this.typeName = typeName;
        this.offset = offset;
        initCause(cause);
    }

    /**
     * Returns the type of the object, which may be inside another object.
     *
     * @return name of the type in its schema
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns the offset of the record of the object, in the array that was read or in the one that was being written.
     *
     * @return offset in bytes
     */
    public int offset() {
        return offset;
    }
}
