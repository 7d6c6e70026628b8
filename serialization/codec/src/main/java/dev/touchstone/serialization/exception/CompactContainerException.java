package dev.touchstone.serialization.exception;

/** A container is cut off, damaged or none. What was read from it before is sound. */
public final class CompactContainerException extends CompactException {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final long offset;

    public CompactContainerException(Reason reason, String what, long offset) {
        super("container: " + what + " reason=" + reason + " offset=" + offset);
        this.reason = reason;
        this.offset = offset;
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }

    /** Where the head or the block begins that cannot be read: up to here all is sound. */
    public long offset() {
        return offset;
    }

    /** Kinds of what can be wrong. */
    public enum Reason {
        /** It begins as no container does. */
        NOT_A_CONTAINER,
        /** It is of a version that is not known here. */
        UNKNOWN_VERSION,
        /** It ends within a block of which all is sound that is there: a writer was stopped, or a copy. */
        TORN,
        /** Bytes were changed, or something else than a writer wrote them. */
        DAMAGED,
        /** A block is larger than allowed. */
        TOO_LARGE
    }
}
