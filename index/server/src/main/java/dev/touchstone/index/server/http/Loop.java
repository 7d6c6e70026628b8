package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the connections of one event loop share: handlers, and memory to read into and to answer in. For that thread. */
final class Loop {
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final int MAX_UNFLUSHED = 32;
    private static final long LONGEST_UNFLUSHED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** For an answer that is written out before the next one begins. */
    final Answer answer = new Answer();

    final ResponseWriter responses = new ResponseWriter();

    /** For a body that came in one part. */
    final byte[] scratch = new byte[SCRATCH_BYTES];

    private final List<ChannelHandlerContext> unflushed = new ArrayList<>(MAX_UNFLUSHED);
    private long unflushedSince;
    private final Map<Route, Handler> handlers = new EnumMap<>(Route.class);

    Loop(PriceService service) {
        for (Route route : Route.values()) {
            if (!route.isLong()) {
                handlers.put(route, service.quickHandler(route));
            }
        }
    }

    /**
     * Sends what a connection has written behind the requests that are there already: clients that get their answers together are woken once, and to wake
     * one costs as much as to answer it.
     */
    void flushSoon(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        if (unflushed.isEmpty()) {
            ctx.executor().execute(this::flush);
            unflushedSince = now;
        }
        unflushed.add(ctx);
        if (unflushed.size() == MAX_UNFLUSHED || now - unflushedSince > LONGEST_UNFLUSHED_NANOS) {
            flush();
        }
    }

    private void flush() {
        for (int i = 0; i < unflushed.size(); i++) { // what a flush lets go on may write, too
            unflushed.get(i).flush();
        }
        unflushed.clear();
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
