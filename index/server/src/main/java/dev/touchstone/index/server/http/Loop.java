package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import java.util.EnumMap;
import java.util.Map;

/** What the connections of one event loop share: handlers, and memory to read into and to answer in. For that thread. */
final class Loop {
    private static final int SCRATCH_BYTES = 64 << 10;

    /** For an answer that is written out before the next one begins. */
    final Answer answer = new Answer();

    final ResponseWriter responses = new ResponseWriter();

    /** For a body that came in one part. */
    final byte[] scratch = new byte[SCRATCH_BYTES];

    private final Map<Route, Handler> handlers = new EnumMap<>(Route.class);

    Loop(PriceService service) {
        for (Route route : Route.values()) {
            if (!route.isLong()) {
                handlers.put(route, service.handler(route));
            }
        }
    }

    /** The handler of a route that is not long. */
    Handler handler(Route route) {
        Handler found = handlers.get(route);
        if (found == null) {
            throw new IllegalArgumentException("a long route: route=" + route);
        }
        return found;
    }
}
