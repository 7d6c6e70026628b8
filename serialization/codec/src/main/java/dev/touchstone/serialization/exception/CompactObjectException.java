package dev.touchstone.serialization.exception;

/**
 * The code of an object or of its codec has thrown while the object was read or written: a constructor, a setter, a getter. The cause is
 * what it threw.
 */
public final class CompactObjectException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String typeName;
    private final int offset;

    public CompactObjectException(String what, String typeName, int offset, RuntimeException cause) {
        super(what + " type=" + typeName + " offset=" + offset + " cause="
                + cause.getClass().getName());
        this.typeName = typeName;
        this.offset = offset;
        initCause(cause);
    }

    /**
     * Returns the type of the object, which may be one inside another.
     *
     * @return name of its schema
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns where the object's record begins: in the array that was read, or in the one that was to be written.
     *
     * @return offset in bytes
     */
    public int offset() {
        return offset;
    }
}
