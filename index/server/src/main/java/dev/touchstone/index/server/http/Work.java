package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Route;
import org.jspecify.annotations.Nullable;

/** A long request, and the answer that a worker makes. The request is immutable; the answer belongs to the worker, and then to the event loop. */
final class Work {
    private final Route route;
    private final boolean isChunked;
    private final byte[] bytes;
    private final int size;

    /**
     * Creates the work for a request.
     *
     * @param isChunked whether the answer may be made in parts
     */
    Work(Route route, boolean isChunked, byte[] bytes, int size) {
        this.route = route;
        this.isChunked = isChunked;
        this.bytes = bytes;
        this.size = size;
    }

    /** A complete answer, or the first part of one whose other parts a handler makes. */
    record Made(Answer answer, @Nullable PartHandler parts) {}

    /** Makes the answer. */
    Made make(Shared shared) {
        Handler handler = shared.service.handler(route);
        if (isChunked && handler instanceof PartHandler parts) {
            Answer first = new Answer();
            return new Made(first, Handling.first(parts, bytes, size, first) ? parts : null);
        }
        Answer answer = new Answer(shared);
        Handling.whole(handler, bytes, size, answer);
        return new Made(answer, null);
    }
}
