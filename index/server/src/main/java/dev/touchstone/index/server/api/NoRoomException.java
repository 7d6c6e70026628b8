package dev.touchstone.index.server.api;

/** Thrown when an answer would become larger than its {@link MemoryBudget} allows. */
public final class NoRoomException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoRoomException(int bytes) {
        super("no room for an answer: bytes=" + bytes);
    }
}
