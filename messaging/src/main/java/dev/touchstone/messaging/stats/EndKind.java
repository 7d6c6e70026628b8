package dev.touchstone.messaging.stats;

/** The kinds of causes for which connections end. */
public enum EndKind {
    /** This node closed the connection: the node was closed, or {@code Node.disconnect} was called. */
    CLOSED_HERE(true),

    /** The peer closed the connection, or its process ended and its system closed it. */
    CLOSED_BY_PEER(true),

    /** The peer sent nothing, not even ticks, for longer than the tick time. */
    SILENT(false),

    /** The peer did not read what it was owed, until 64 MiB of it, or an eighth of the heap, were pending. */
    NOT_READING(false),

    /** The peer sent bytes that are no valid frame or signal, or break a limit of the node. */
    INVALID_INPUT(false),

    /** The peer gave the connection up and made another one. */
    REPLACED(true),

    /** Reading or writing failed: a reset, a lost network, TLS. */
    BROKEN(false),

    /** This node failed while it read or wrote: an error of the JVM, such as too little memory, of its code, or of the user's. */
    FAULT(false);

    private final boolean orderly;

    EndKind(boolean orderly) {
        this.orderly = orderly;
    }

    /**
     * Returns whether one of the two nodes wanted the end.
     *
     * @return true where nothing went wrong
     */
    public boolean isOrderly() {
        return orderly;
    }
}
