package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.NoRoomException;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Response;
import java.lang.System.Logger;
import java.util.concurrent.CancellationException;

/** Methods that call handlers. An exception of a handler is logged and becomes the answer 500, or the end of an answer that has begun. Stateless. */
final class RequestDispatch {
    private static final Logger LOG = System.getLogger(RequestDispatch.class.getName());

    private static final String NO_ROOM = "too many large answers at the same time";

    private RequestDispatch() {}

    /** States of an answer that is made in parts. */
    enum Made {
        LAST,
        MORE,
        FAILED
    }

    static void whole(Handler handler, byte[] bytes, int size, Response answer) {
        answer.reset();
        try {
            handler.handle(bytes, 0, size, answer);
        } catch (NoRoomException e) {
            answer.busy(NO_ROOM);
        } catch (CancellationException e) {
            answer.busy(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log(handler, e);
            answer.refuse(500, "the server failed");
        }
    }

    /** Makes the first part of an answer; returns whether there are more. */
    static boolean first(PartHandler handler, byte[] bytes, int size, Response answer) {
        answer.reset();
        try {
            return handler.begin(bytes, 0, size, answer) && answer.status() == 200;
        } catch (NoRoomException e) {
            answer.busy(NO_ROOM);
            return false;
        } catch (CancellationException e) {
            answer.busy(String.valueOf(e.getMessage()));
            return false;
        } catch (RuntimeException e) {
            log(handler, e);
            answer.refuse(500, "the server failed");
            return false;
        }
    }

    static Made next(PartHandler handler, Response answer) {
        try {
            return handler.next(answer) ? Made.MORE : Made.LAST;
        } catch (NoRoomException | CancellationException e) {
            return Made.FAILED;
        } catch (RuntimeException e) {
            log(handler, e);
            return Made.FAILED;
        }
    }

    private static void log(Handler handler, RuntimeException failure) {
        LOG.log(
                Logger.Level.ERROR,
                "handler failed: handler=" + handler.getClass().getSimpleName(),
                failure);
    }
}
