package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Response;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The handlers and buffers that the connections of one event loop share. For that thread. */
final class Loop {
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final int FREE_BYTES = 64 << 10;
    private static final int MAX_UNFLUSHED = 32;
    private static final long LONGEST_UNFLUSHED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** Share of all connections that are closed together: looking for them takes much longer than closing one. */
    private static final int CLOSED_SHARE = 64;

    /** Time after which a client that has read nothing of its answer gives way to others, if no other client does. */
    static final long MAX_UNREAD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Buffer of an answer that is written before the next one begins. */
    final Response answer;

    final ResponseWriter responses = new ResponseWriter();

    /** Buffer of a body that arrived in one part. */
    final byte[] scratch = new byte[SCRATCH_BYTES];

    private final List<ChannelHandlerContext> unflushed = new ArrayList<>(MAX_UNFLUSHED);
    private long unflushedSince;
    private final Map<Channel, Connection> connections = new HashMap<>();
    private final Map<Channel, Unread> unread = new HashMap<>();
    private final Map<Route, Handler> handlers = new EnumMap<>(Route.class);

    /**
     * The place up to which the answers of a connection were sent when the loop looked for connections to close.
     *
     * @param answer identity of the answer that was sent in part
     * @param sent bytes of it that were sent
     * @param since nanosecond time of the first look that found it so
     */
    private record Unread(int answer, long sent, long since) {}

    Loop(HandlerFactory factory, Shared shared) {
        answer = new Response(shared, FREE_BYTES);
        for (Route route : Route.values()) {
            if (!route.isLong()) {
                handlers.put(route, factory.quickHandler(route));
            }
        }
    }

    /** Remembers a connection until it is closed. */
    void add(Channel channel, Connection connection) {
        connections.put(channel, connection);
        channel.closeFuture().addListener(closed -> {
            connections.remove(channel);
            unread.remove(channel);
        });
    }

    /**
     * Closes connections that wait for their clients: those that never had a whole request or will have no other, then those between two requests, then those
     * in the middle of one, of each those that have waited longest. At last those whose clients have read nothing of their answers for some time, which
     * an earlier look has begun to measure. Otherwise clients that say nothing, or half of it, or do not listen, would keep all others away.
     *
     * @param maxConnections maximum number of open connections
     * @return false if there are none
     */
    boolean closeWaiting(int maxConnections) {
        return closeWaiting(maxConnections, System.nanoTime());
    }

    /** Closes connections like {@link #closeWaiting(int)}, at a nanosecond time. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of a connection is not waited for
    boolean closeWaiting(int maxConnections, long now) {
        flush();
        List<Channel> waiting = connections.entrySet().stream()
                .filter(one -> one.getValue().isWaiting() && (isAllSent(one.getKey()) || isUnread(one.getKey(), now)))
                .sorted(Comparator.comparing((Map.Entry<Channel, Connection> one) -> !isAllSent(one.getKey()))
                        .thenComparingLong(one -> one.getValue().waitingSince() - now))
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

    /** Returns whether nothing of the answers of a connection could be sent for some time. */
    private boolean isUnread(Channel channel, long now) {
        ChannelOutboundBuffer flushed = Objects.requireNonNull(channel.unsafe().outboundBuffer(), "answers");
        int answer = System.identityHashCode(flushed.current());
        Unread before = unread.get(channel);
        if (before == null || before.answer != answer || before.sent != flushed.currentProgress()) {
            unread.put(channel, new Unread(answer, flushed.currentProgress(), now));
            return false;
        }
        return now - before.since > MAX_UNREAD_NANOS;
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
