package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Metrics.Refusal;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.RequestDispatch.Made;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection as a state machine: {@link ConnectionState} has the table. Requests are answered one after the other, in their order.
 *
 * <p>Who calls: its event loop only. Invariants: all memory that the client makes the server hold is taken from the budget of
 * all connections; messages wait in {@code pending} if and only if they arrived while the state or the client's reading did not allow their
 * processing. Ordering: the next request is processed when the answer to the one before has been passed to the channel as a whole. Failure: whatever
 * breaks the connection enters CLOSED, which gives the memory back, except that of a body that a worker still reads.
 */
@SuppressWarnings({"FutureReturnValueIgnored", "ReferenceEquality"}) // failed writes call channelInactive
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final ByteBuf CONTINUE = Unpooled.unreleasableBuffer(
            Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII));

    /** Numbers of unread bytes: above the higher one the client counts as not reading, and below the lower one it reads again. */
    static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(16 << 10, 32 << 10);

    /** Memory of a client that does not read: four times the unread bytes, because short answers are in buffers with room for a head and two objects. */
    private static final int BLOCKED_BYTES = 4 * MARKS.high();
    /** Maximum length of an answer that is written at once, in bytes. A longer answer stays in the heap until the client reads it. */
    private static final int WHOLE_BYTES = 64 << 10;
    /** Maximum length of an answer that the event loop compresses in bytes, which takes it about a millisecond. */
    private static final int MAX_PACKED = 64 << 10;

    private static final byte[] NONE = {};
    private static final int TOO_MANY = 429;
    private static final int BUSY = 503;
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Shared shared;
    private final Loop loop;
    private final RequestDecoder decoder;
    private final Pending pending;
    private ConnectionState state = ConnectionState.HEAD;
    private long since = System.nanoTime(); // when the state began
    private long blockedSince; // when the client stopped reading
    private boolean isBlocked; // whether the client does not read, and memory is taken for that
    private boolean isAdvancing;
    private boolean isKnown; // whether a whole request was accepted
    private @Nullable ScheduledFuture<?> ticks;
    // the request
    private @Nullable Route route;
    private byte[] parameters = NONE; // of the path, if the route has some
    private @Nullable String authorization; // header that names the client
    private Form form = Form.PLAIN;
    private int maxBytes;
    private final RequestBody body;
    // its answer
    private @Nullable Response refusal; // for DISCARDING
    private @Nullable Work work; // for HANDLING, PAUSED and MAKING
    private @Nullable ByteBuffer rest; // for SENDING

    Connection(Shared shared, Loop loop, RequestDecoder decoder) {
        this.shared = shared;
        this.loop = loop;
        this.decoder = decoder;
        body = new RequestBody(shared);
        pending = new Pending(shared);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        long period = Math.min(shared.options.times().shortestNanos(), LINGER_NANOS) / 4;
        ticks = ctx.executor().scheduleWithFixedDelay(() -> tick(ctx), period, period, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean isClients = cause instanceof IOException || cause.getCause() instanceof SSLException;
        if (!isClients) { // a client that has disconnected, or speaks no TLS, is not reported
            LOG.log(Logger.Level.WARNING, "connection failed", cause);
        }
        close(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state == ConnectionState.CLOSING || state == ConnectionState.CLOSED) {
            ReferenceCountUtil.release(message);
        } else if (!state.isReading() || !pending.isEmpty() || !ctx.channel().isWritable()) {
            ctx.channel().config().setAutoRead(false);
            if (!pending.add(message)) {
                close(ctx); // a refusal cannot be sent before the answers to earlier requests
            }
        } else {
            process(ctx, message);
            if (state == ConnectionState.SENDING) {
                advance(ctx);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushSoon(ctx);
        if (state == ConnectionState.HEAD) {
            decoder.passedOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            unblock();
            advance(ctx);
        } else if (!isBlocked && state != ConnectionState.CLOSED) {
            isBlocked = shared.take(BLOCKED_BYTES);
            blockedSince = System.nanoTime();
            if (!isBlocked) {
                close(ctx);
            }
        }
    }

    /** Ends requests and connections whose time is over. */
    private void tick(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        long request = shared.options.times().request().toNanos();
        long longest = state == ConnectionState.HEAD
                ? shared.options.times().idle().toNanos()
                : state == ConnectionState.CLOSING ? LINGER_NANOS : request;
        boolean isLate = switch (state) {
            case HEAD -> decoder.isBegun() && now - decoder.since() > request;
            case BODY, DISCARDING -> pending.isEmpty() && now - since > request;
            default -> false; // the deadline of the work, or the client's reading
        };
        if ((isBlocked && now - blockedSince > request) || (!isLate && isWaiting() && now - since > longest)) {
            close(ctx);
        } else if (isLate) {
            loop.answer.refuse(408, "the request took too long to arrive");
            last(ctx);
        }
    }

    /** Returns whether only the client is waited for: its next request, the rest of one, or its end. */
    boolean isWaiting() {
        return (state.isReading() || state == ConnectionState.CLOSING) && pending.isEmpty();
    }

    /** Returns since when the connection waits; far earlier if it has no use or never had one, and far later in the middle of a request. */
    long waitingSince() {
        boolean isUseless = state == ConnectionState.CLOSING || (state == ConnectionState.HEAD && !isKnown);
        return state == ConnectionState.HEAD && isKnown ? since : since + (isUseless ? -1 : 1) * (Long.MAX_VALUE / 2);
    }

    /** Closes the connection if no request has begun; otherwise the answer to that request is the last one. */
    void stop(ChannelHandlerContext ctx) {
        if (state == ConnectionState.HEAD && pending.isEmpty() && !decoder.isBegun()) {
            sayEnd(ctx);
        }
    }

    /** Ends the request that a worker answers, with a refusal if its answer has not begun. */
    void end(ChannelHandlerContext ctx) {
        giveUp(ctx, Refusal.STOPPING, "stopping");
    }

    private void enter(ConnectionState next) {
        if (state == ConnectionState.CLOSED) {
            return; // a write that filled the last memory has closed the connection before its caller went on
        }
        if (!state.next().contains(next)) {
            throw new IllegalStateException("no such transition: from=" + state + " to=" + next);
        }
        if (LOG.isLoggable(Logger.Level.TRACE)) {
            LOG.log(Logger.Level.TRACE, "{0}: {1} to {2}", this, state, next);
        }
        state = next;
        since = System.nanoTime();
    }

    /** Goes on as far as the client's reading and the workers allow: sends what is left, then processes what waits, and flushes. */
    private void advance(ChannelHandlerContext ctx) {
        if (isAdvancing) {
            return; // called again by a flush below
        }
        isAdvancing = true;
        try {
            while (ctx.channel().isWritable() && step(ctx)) {
                // each step sends, hands over or takes a message
            }
        } finally {
            isAdvancing = false;
        }
        ctx.flush();
        if (pending.isEmpty() && state.isReading()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Takes one step; returns false if there is none. */
    private boolean step(ChannelHandlerContext ctx) {
        switch (state) {
            case HEAD, BODY, DISCARDING -> {
                Object message = pending.poll();
                if (message == null) {
                    return false;
                }
                process(ctx, message);
            }
            case SENDING -> sendPiece(ctx, Objects.requireNonNull(rest, "rest"));
            case PAUSED -> sendPart(ctx, Objects.requireNonNull(work, "work"));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Waits for the next request after a whole answer, or closes the connection. */
    private void answered(ChannelHandlerContext ctx) {
        if (form.isKept()) {
            enter(ConnectionState.HEAD);
        } else {
            sayEnd(ctx);
        }
    }

    /**
     * Tells the client that no more answers follow, and lets it read the ones that were sent: bytes that it still sends are discarded until it closes
     * the connection.
     */
    private void sayEnd(ChannelHandlerContext ctx) {
        enter(ConnectionState.CLOSING);
        pending.clear();
        ctx.channel().config().setAutoRead(true);
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> Transport.shutDown(ctx));
    }

    private void close(ChannelHandlerContext ctx) {
        closed();
        ctx.close();
    }

    /** Gives all memory back, except that of a body that a worker reads. */
    private void closed() {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        boolean isRead = work != null && !work.stop(null) && state.isWorking();
        enter(ConnectionState.CLOSED);
        if (ticks != null) {
            ticks.cancel(false);
        }
        pending.clear();
        decoder.close();
        unblock();
        clearRest();
        if (!isRead) { // otherwise the worker's end does
            if (work != null) {
                work.answer().free();
            }
            clearBody();
        }
    }

    private void unblock() {
        if (isBlocked) {
            isBlocked = false;
            shared.give(BLOCKED_BYTES);
        }
    }

    private void clearRest() {
        if (rest != null) {
            shared.give(rest.array().length);
            rest = null;
        }
    }

    private void clearBody() {
        body.clear();
        work = null; // holds the body too
    }

    private void process(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof HttpRequest request && state == ConnectionState.HEAD) {
                begin(ctx, request);
            }
            if (message instanceof HttpContent content
                    && (state == ConnectionState.BODY || state == ConnectionState.DISCARDING)) {
                part(ctx, content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        decoder.close();
        form = Form.PLAIN;
        if (isDamaged(ctx, request)) {
            return;
        }
        route = RequestAdmission.route(request.uri());
        parameters = RequestAdmission.parameters(request.uri(), route);
        authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        boolean isRefused =
                RequestAdmission.isRefused(request, route, shared, ctx.channel().localAddress(), loop.answer);
        form = RequestAdmission.form(request, route, shared);
        maxBytes = RequestAdmission.mostBytes(route, shared.service.limits());
        long said = RequestAdmission.announced(request);
        body.announce((int) Math.min(said, maxBytes));
        boolean isAsking = HttpUtil.is100ContinueExpected(request);
        if (RequestAdmission.isCoded(request.headers(), loop.answer)) {
            last(ctx);
        } else if (said > maxBytes) {
            tooLarge(ctx);
        } else if (isRefused && isAsking) {
            last(ctx); // the client would not send the body
        } else if (isRefused) {
            refusal = new Response();
            refusal.refuse(loop.answer);
            enter(ConnectionState.DISCARDING);
        } else {
            enter(ConnectionState.BODY);
            if (isAsking) {
                ctx.writeAndFlush(CONTINUE.duplicate());
            }
        }
    }

    private void part(ChannelHandlerContext ctx, HttpContent content) {
        if (isDamaged(ctx, content)) {
            return;
        }
        ByteBuf bytes = content.content();
        int count = bytes.readableBytes();
        boolean isLast = content instanceof LastHttpContent;
        if (body.size() + count > maxBytes) {
            tooLarge(ctx);
        } else if (refusal != null) {
            body.skip(count);
            if (isLast) {
                refuse(ctx, refusal);
            }
        } else if (isLast && body.size() == 0 && count <= loop.scratch.length) {
            bytes.getBytes(bytes.readerIndex(), loop.scratch, 0, count);
            dispatch(ctx, loop.scratch, count);
        } else if (count > 0 && !body.add(bytes)) {
            loop.answer.busy("too many large requests at the same time");
            last(ctx);
        } else if (isLast) {
            dispatch(ctx, body.bytes(), body.size());
        }
    }

    /** Writes a refusal that no handler has made. */
    private void refuse(ChannelHandlerContext ctx, Response answer) {
        shared.service.metrics().refused();
        decoder.ended();
        clearBody();
        refusal = null;
        ctx.write(loop.responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
        answered(ctx);
    }

    private void tooLarge(ChannelHandlerContext ctx) {
        loop.answer.refuse(413, "a body of at most " + maxBytes + " bytes is expected");
        last(ctx);
    }

    /** Returns whether a message is damaged, which ends the connection with a refusal. */
    private boolean isDamaged(ChannelHandlerContext ctx, HttpObject message) {
        if (message.decoderResult().isSuccess()) {
            return false;
        }
        RequestAdmission.damaged(message.decoderResult().cause(), loop.answer);
        last(ctx);
        return true;
    }

    /** Writes the answer of the loop as a refusal, and accepts no more requests. */
    private void last(ChannelHandlerContext ctx) {
        form = form.whole().lastIf(true);
        refuse(ctx, loop.answer);
    }

    /** Passes a complete request to its handler: its body, or the parameters of its path if the route has some. */
    private void dispatch(ChannelHandlerContext ctx, byte[] content, int length) {
        Route asked = Objects.requireNonNull(route, "route");
        byte[] bytes = asked.hasParameters() ? parameters : content;
        int size = asked.hasParameters() ? parameters.length : length;
        decoder.ended();
        isKnown = true;
        Response answer = loop.answer;
        long begin = System.nanoTime();
        if (!asked.isLong()) {
            RequestDispatch.whole(loop.handler(asked), bytes, size, answer);
        }
        if (!(asked.isLong() || answer.isDeferred()) || !isHandedOver(ctx, asked, bytes, size)) {
            if (form.mayPack() && answer.size() <= MAX_PACKED) {
                Gzip.pack(answer, shared);
            }
            respond(ctx, answer, begin);
        }
    }

    /** Hands a request over to the workers of its route. If they do not take it, this method returns false, and the answer of the loop tells why. */
    private boolean isHandedOver(ChannelHandlerContext ctx, Route to, byte[] bytes, int size) {
        Object client = shared.access.client(authorization, ctx.channel().remoteAddress());
        Work next = new Work(shared, client, ctx.executor(), to, form);
        work = next; // from here on, closing gives the place in the pool back
        enter(ConnectionState.HANDLING);
        if (next.isHeld()) {
            body.clear();
            next.hold(() -> giveUp(ctx, Refusal.FULL, next.fullMessage()));
        } else if (!next.begin(
                bytes == loop.scratch ? Arrays.copyOf(bytes, size) : bytes,
                size,
                () -> guarded(ctx, next, this::made),
                () -> giveUp(ctx, Refusal.LATE, next.lateMessage()))) {
            shared.service.metrics().refused(to.pool(), shared.isClosing() ? Refusal.STOPPING : Refusal.FULL);
            loop.answer.busy(shared.isClosing() ? "stopping" : "no memory for a worker");
            return false;
        }
        return true;
    }

    /**
     * Refuses the request, or cuts its answer off, if no worker has begun with it or the next part. Else has the worker stop, which then makes the
     * refusal, or fails to make the part.
     */
    private void giveUp(ChannelHandlerContext ctx, Refusal reason, String message) {
        Work given = work;
        if (!state.isWorking() || given == null || !given.stop(reason)) {
            return;
        }
        if (state == ConnectionState.MAKING) {
            cutOff(ctx, given);
        } else {
            loop.answer.busy(reason == Refusal.FULL ? TOO_MANY : BUSY, message);
            respond(ctx, loop.answer, given.beginNanos());
            advance(ctx);
        }
    }

    /** Closes the connection, unless it is closed, without an answer or in the middle of one, so that the client sees that there would be more. */
    private void cutOff(ChannelHandlerContext ctx, Work given) {
        Refusal reason = given.reason();
        if (reason != null && route != null && state != ConnectionState.CLOSED) {
            shared.service.metrics().refused(route.pool(), reason);
        }
        enter(ConnectionState.PAUSED); // no worker reads the body
        close(ctx);
        clearBody();
    }

    /** Sends what a worker has made: a whole answer, or its first part. */
    private void made(ChannelHandlerContext ctx, Work by) {
        by.ended();
        Response answer = by.answer();
        if (state == ConnectionState.CLOSED || by.made() == Made.FAILED) {
            cutOff(ctx, by);
            answer.free();
        } else if (by.isInParts()) {
            form = form.lastIf(shared.isClosing());
            count(answer, by.beginNanos(), by.reason());
            enter(ConnectionState.PAUSED); // before a write that may close the connection: no worker reads the body
            ctx.write(loop.responses.head(ctx.alloc(), answer, form), ctx.voidPromise());
        } else {
            respond(ctx, answer, by.beginNanos());
        }
        advance(ctx);
    }

    /** Sends the next piece of what a worker has made; when all of that was sent, has a worker make the next part. */
    private void sendPart(ChannelHandlerContext ctx, Work by) {
        if (by.isSent()) {
            makePart(ctx, by);
            return;
        }
        ctx.writeAndFlush(by.piece(loop.responses, ctx.alloc()), ctx.voidPromise()); // which may close the connection
        if (by.isAllSent()) {
            clearBody();
            answered(ctx);
        }
    }

    private void makePart(ChannelHandlerContext ctx, Work by) {
        PartHandler handler = Objects.requireNonNull(by.parts(), "parts");
        enter(ConnectionState.MAKING);
        if (!by.next(
                handler, () -> guarded(ctx, by, this::partMade), () -> giveUp(ctx, Refusal.LATE, by.lateMessage()))) {
            cutOff(ctx, by);
        }
    }

    private void partMade(ChannelHandlerContext ctx, Work by) {
        by.ended();
        if (state == ConnectionState.CLOSED || by.made() == Made.FAILED) {
            cutOff(ctx, by);
            by.answer().free();
            return;
        }
        enter(ConnectionState.PAUSED);
        advance(ctx);
    }

    /** Passes on what a worker has made; after a failure, which nobody else would notice, closes the connection. */
    private void guarded(ChannelHandlerContext ctx, Work by, BiConsumer<ChannelHandlerContext, Work> receiver) {
        try {
            receiver.accept(ctx, by);
        } catch (RuntimeException | Error e) {
            if (state.isWorking()) {
                enter(ConnectionState.PAUSED); // no worker reads the body
            }
            exceptionCaught(ctx, e);
            by.answer().free();
        }
    }

    /** Writes an answer, or the head of a long one, and gives the request back. */
    private void respond(ChannelHandlerContext ctx, Response answer, long begin) {
        form = form.lastIf(shared.isClosing());
        if (answer.status() != 200) {
            form = form.whole();
        }
        Refusal reason = work == null ? null : work.reason();
        clearBody(); // before memory is taken for the answer
        boolean isLong = answer.size() > WHOLE_BYTES && !form.isHead() && !form.isChunked();
        if (isLong && !shared.take(answer.bytes().length - answer.taken())) {
            answer.busy("too many large answers at the same time");
            isLong = false;
        }
        count(answer, begin, reason);
        if (isLong) {
            ByteBuf head = loop.responses.head(ctx.alloc(), answer, form);
            int size = answer.size();
            rest = ByteBuffer.wrap(answer.take(), 0, size);
            enter(ConnectionState.SENDING);
            ctx.write(head, ctx.voidPromise());
        } else {
            ctx.write(loop.responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
            if (answer.taken() > 0) {
                answer.free();
            }
            answered(ctx);
        }
    }

    private void count(Response answer, long begin, @Nullable Refusal reason) {
        if (route != null) {
            if (reason != null && (answer.status() == BUSY || answer.status() == TOO_MANY)) { // by this server, in time
                shared.service.metrics().refused(route.pool(), reason);
            }
            shared.service.metrics().answered(route, answer.status(), System.nanoTime() - begin);
        }
    }

    private void sendPiece(ChannelHandlerContext ctx, ByteBuffer from) {
        int count = Math.min(WHOLE_BYTES / 2, from.remaining());
        ByteBuf piece = ctx.alloc().directBuffer(count).writeBytes(from.slice(from.position(), count));
        from.position(from.position() + count);
        ctx.writeAndFlush(piece, ctx.voidPromise());
        if (!from.hasRemaining() && state == ConnectionState.SENDING) { // the write may have closed the connection
            clearRest();
            answered(ctx);
        }
    }
}
