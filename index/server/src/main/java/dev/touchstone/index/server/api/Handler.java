package dev.touchstone.index.server.api;

/**
 * A handler that answers requests of one route, one after the other. For one thread, unless an implementation says otherwise. An exception of a
 * handler is a fault of the program, never of the request, except {@link NoRoomException}, and {@link java.util.concurrent.CancellationException} if the
 * check of {@link Response#stopWhen} said to stop.
 */
@FunctionalInterface
public interface Handler {
    /**
     * Answers a request.
     *
     * @param bytes array that holds the body, or the {@linkplain Route#parameters parameters} of a route that has some; which is not changed, and not read once this method has returned
     * @param from index of the first byte of the body
     * @param to index behind the last byte of the body
     * @param answer answer that was reset, to be filled
     */
    void handle(byte[] bytes, int from, int to, Response answer);
}
