package dev.touchstone.index.server.api;

/** Memory that answers share. Thread-safe. */
public interface Room {
    /** Takes bytes; false if there are not as many. */
    boolean take(int bytes);

    /** Gives bytes back. */
    void give(int bytes);
}
