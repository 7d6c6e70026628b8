package dev.touchstone.index.server.api;

/** Answers requests of one route, one after the other, for one thread. What it throws is a fault of the program, never of the request. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers a request.
     *
     * @param bytes hold the body from one index to before another; they are not changed, and not looked at after this returns
     * @param answer was reset, and is filled
     */
    void handle(byte[] bytes, int from, int to, Answer answer);
}
