package dev.touchstone.serialization.exception;

/** Thrown when a container is cut off or damaged, or the bytes are not a container. The records that were read before are intact. */
public final class CompactContainerException extends CompactException {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final long offset;

    /**
     * Creates an exception.
     *
     * @param reason kind of the problem
     * @param what problem, for people
     * @param offset offset in bytes of the head or block that cannot be read
     */
    public CompactContainerException(Reason reason, String what, long offset) {
        super("container: " + what + " reason=" + reason + " offset=" + offset);
        this.reason = reason;
        this.offset = offset;
    }

    /**
     * Returns the kind of the problem.
     *
     * @return reason
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Returns the offset of the head or block that cannot be read. All bytes before it are intact.
     *
     * @return offset in bytes from the begin of the container
     */
    public long offset() {
        return offset;
    }

    /** Kinds of problems of a container. */
    public enum Reason {
        /** The first bytes are not those of a container. */
        NOT_A_CONTAINER,
        /** The version of the format is not known to this reader. */
        UNKNOWN_VERSION,
        /** The container ends within its head or a block: a writer or a copy was interrupted. */
        TORN,
        /** Bytes were changed, or were not written by a container writer. */
        DAMAGED,
        /** A block is larger than allowed, or there are too many schemas. */
        TOO_LARGE
    }
}
