package dev.touchstone.index.server.api;

/** An answer would become larger than there is {@link Room} for. */
public final class NoRoomException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoRoomException(int bytes) {
        super("no room for an answer: bytes=" + bytes);
    }
}
