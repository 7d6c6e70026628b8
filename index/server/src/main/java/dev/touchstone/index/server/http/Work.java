package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import java.lang.System.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A long request, and the answer that a worker makes. The request is immutable; the answer belongs to the worker, and then to the event loop. The
 * event loop may stop the work at any time.
 */
final class Work {
    private static final Logger LOG = System.getLogger(Work.class.getName());

    private final Route route;
    private final boolean isChunked;
    private final boolean mayPack;
    private final byte[] bytes;
    private final int size;
    private volatile boolean isStopped;

    /**
     * Creates the work for a request.
     *
     * @param form form of the answer, which says whether it may be made in parts, and compressed
     */
    Work(Route route, Form form, byte[] bytes, int size) {
        this.route = route;
        isChunked = form.isChunked();
        mayPack = form.mayPack();
        this.bytes = bytes;
        this.size = size;
    }

    /** A complete answer, or the first part of one whose other parts a handler makes. */
    record Made(Answer answer, @Nullable PartHandler parts) {}

    /** Has the handler end soon, because its answer comes too late or is not needed. */
    void stop() {
        isStopped = true;
    }

    /** Makes the answer. */
    Made make(Shared shared) {
        Answer answer = new Answer(shared);
        try {
            Handler handler = shared.handler(route);
            if (isChunked && handler instanceof PartHandler parts) {
                Answer first = new Answer();
                first.stopWhen(this::isStopped);
                return new Made(first, Handling.first(parts, bytes, size, first) ? parts : null);
            }
            answer.stopWhen(this::isStopped);
            Handling.whole(handler, bytes, size, answer);
            if (mayPack) {
                Gzip.pack(answer, shared);
            }
            return new Made(answer, null);
        } catch (StackOverflowError | OutOfMemoryError e) { // the client is answered nevertheless
            LOG.log(Logger.Level.ERROR, "handler failed: route=" + route.path(), e);
            answer.free();
            answer.refuse(500, "the server failed");
            return new Made(answer, null);
        }
    }

    private boolean isStopped() {
        return isStopped;
    }
}
