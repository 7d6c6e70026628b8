package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Route;
import org.jspecify.annotations.Nullable;

/** A request that takes longer, and what a worker makes of it. The request is immutable; the rest is the worker's, and then the event loop's. */
final class Work {
    private final Route route;
    private final boolean isChunked;
    private final byte[] bytes;
    private final int size;

    /** @param isChunked whether the answer may be made in parts */
    Work(Route route, boolean isChunked, byte[] bytes, int size) {
        this.route = route;
        this.isChunked = isChunked;
        this.bytes = bytes;
        this.size = size;
    }

    /** An answer, or the first part of one of which a handler makes the others. */
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
