package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The handlers and buffers that the connections of one event loop share. For that thread. */
final class Loop {
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final int FREE_BYTES = 64 << 10;
    private static final int MAX_UNFLUSHED = 32;
    private static final long LONGEST_UNFLUSHED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** Share of all connections that are closed together: looking for them takes much longer than closing one. */
    private static final int CLOSED_SHARE = 64;

    /** Buffer of an answer that is written before the next one begins. */
    final Answer answer;

    final ResponseWriter responses = new ResponseWriter();

    /** Buffer of a body that arrived in one part. */
    final byte[] scratch = new byte[SCRATCH_BYTES];

    private final List<ChannelHandlerContext> unflushed = new ArrayList<>(MAX_UNFLUSHED);
    private long unflushedSince;
    private final Map<Channel, Connection> connections = new HashMap<>();
    private final Map<Route, Handler> handlers = new EnumMap<>(Route.class);

    Loop(HandlerFactory factory, Shared shared) {
        answer = new Answer(shared, FREE_BYTES);
        for (Route route : Route.values()) {
            if (!route.isLong()) {
                handlers.put(route, factory.quickHandler(route));
            }
        }
    }

    /** Remembers a connection until it is closed. */
    void add(Channel channel, Connection connection) {
        connections.put(channel, connection);
        channel.closeFuture().addListener(closed -> connections.remove(channel));
    }

    /**
     * Closes connections that wait for their clients and have sent them all answers: those that never had a whole request or will have no other, then those
     * between two requests, at last those in the middle of one, of each those that have waited longest. Otherwise clients that say nothing, or half of it,
     * would keep all others away.
     *
     * @param maxConnections maximum number of open connections
     * @return false if there are none
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of a connection is not waited for
    boolean closeWaiting(int maxConnections) {
        flush();
        long now = System.nanoTime();
        List<Channel> waiting = connections.entrySet().stream()
                .filter(one -> one.getValue().isWaiting() && isAllSent(one.getKey()))
                .sorted(Comparator.comparingLong(one -> one.getValue().waitingSince() - now))
                .limit(Math.max(1, maxConnections / CLOSED_SHARE))
                .map(Map.Entry::getKey)
                .toList();
        for (Channel channel : waiting) {
            if (!Tls.closeHandshake(channel)) {
                channel.close();
            }
        }
        return !waiting.isEmpty();
    }

    private static boolean isAllSent(Channel channel) {
        ChannelOutboundBuffer flushed = channel.unsafe().outboundBuffer();
        return flushed == null || flushed.isEmpty();
    }

    /**
     * Flushes a connection once the requests that have already arrived are processed. Clients whose answers are flushed together are woken together,
     * and waking a client costs as much as answering it.
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
        for (int i = 0; i < unflushed.size(); i++) { // a flush may let other writes continue, which add to the list
            unflushed.get(i).flush();
        }
        unflushed.clear();
    }

    /** Returns the handler of a route that is not long. */
    Handler handler(Route route) {
        Handler found = handlers.get(route);
        if (found == null) {
            throw new IllegalArgumentException("a long route: route=" + route);
        }
        return found;
    }
}
