package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Metrics.Refusal;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection, whose requests are answered one after the other, in their order.
 *
 * <p>A short request is answered on the event loop. While a worker answers a long one, the connection waits, and so do the requests behind it.
 * Nothing more is read in the meantime, nor while the client does not read its answers. Used on its event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which calls channelInactive
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final ByteBuf CONTINUE = Unpooled.unreleasableBuffer(
            Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII));
    /** Maximum length of an answer that the event loop compresses in bytes, which takes it about a millisecond. */
    private static final int MAX_PACKED = 64 << 10;

    private static final int TOO_MANY = 429;
    private static final int BUSY = 503;
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        WAITING,
        BODY,
        WORKING,
        CLOSING
    }

    private final Shared shared;
    private final Loop loop;
    private final RequestDecoder decoder;
    private final Body body;
    private final Outbound outbound;
    private final Pending pending;
    private State state = State.WAITING;
    private boolean isWorking; // whether a worker makes an answer from the body
    private long since = System.nanoTime(); // when the state began
    private long blockedSince; // when the client stopped reading
    private long askedAt; // when the last byte of the request that a worker answers arrived
    private @Nullable Work work; // what a worker makes an answer of, while it needs the body
    private WorkerPool.@Nullable Ticket ticket; // place of the work among the workers, until its answer is made
    private @Nullable Refusal stopReason; // why the work was given up, until it is answered
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ScheduledFuture<?> ticks;
    private @Nullable Route route;
    private byte[] parameters = {}; // of the path, if the route has some
    private @Nullable Answer refusal; // answer to give when the body has ended
    private Form form = Form.PLAIN;
    private int mostBytes;
    private int announced; // length of the body that the request announced
    private int discarded;

    Connection(Shared shared, Loop loop, RequestDecoder decoder) {
        this.shared = shared;
        this.loop = loop;
        this.decoder = decoder;
        body = new Body(shared);
        pending = new Pending(shared);
        outbound = new Outbound(shared, loop.responses, this::sent);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        long period = Math.min(shared.options.times().shortestNanos(), LINGER_NANOS) / 4;
        ticks = ctx.executor().scheduleWithFixedDelay(() -> tick(ctx), period, period, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (ticks != null) {
            ticks.cancel(false);
        }
        abandon();
        if (!isWorking && !outbound.isWorking()) {
            body.clear(); // a worker that still reads the body clears it later
        }
        outbound.close();
        decoder.close();
        enter(State.CLOSING);
        pending.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean isClients = cause instanceof IOException || cause.getCause() instanceof SSLException;
        if (!isClients) { // a client that has disconnected, or speaks no TLS, is not reported
            LOG.log(Logger.Level.WARNING, "connection failed", cause);
        }
        ctx.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state == State.WORKING || !pending.isEmpty() || !ctx.channel().isWritable()) {
            ctx.channel().config().setAutoRead(false);
            if (!pending.add(message)) {
                ctx.close(); // a refusal cannot be sent before the answers to earlier requests
            }
        } else {
            process(ctx, message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.flushSoon(ctx);
        if (state == State.WAITING) {
            decoder.passedOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            outbound.unblock(ctx);
            goOn(ctx);
        } else {
            blockedSince = System.nanoTime();
            if (!outbound.block()) {
                ctx.close();
            }
        }
    }

    /** Processes the messages that have waited. */
    private void goOn(ChannelHandlerContext ctx) {
        boolean isWritten = false;
        while (!pending.isEmpty() && state != State.WORKING && ctx.channel().isWritable()) {
            process(ctx, pending.remove());
            isWritten = true;
        }
        if (isWritten) {
            ctx.flush();
        }
        if (pending.isEmpty() && state != State.WORKING) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void process(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof HttpRequest request && state == State.WAITING) {
                begin(ctx, request);
            }
            if (message instanceof HttpContent content && state == State.BODY) {
                part(ctx, content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        decoder.close();
        enter(State.BODY);
        form = Form.PLAIN;
        if (request.decoderResult().isFailure()) {
            damaged(ctx, request.decoderResult().cause());
            return;
        }
        route = Intake.route(request.uri());
        if (route != null && route.hasParameters()) {
            parameters = Intake.parameters(request.uri(), route);
        }
        boolean isRefused = Intake.isRefused(request, route, shared, local(ctx), loop.answer);
        form = Intake.form(request, route, shared);
        mostBytes = Intake.mostBytes(route, shared.service.limits());
        discarded = 0;
        long said = Intake.announced(request);
        announced = (int) Math.min(said, mostBytes);
        if (isRefused) {
            Answer kept = new Answer();
            kept.refuse(loop.answer);
            refusal = kept;
        }
        if (said > mostBytes) {
            tooLarge(ctx);
        } else if (HttpUtil.is100ContinueExpected(request)) {
            if (isRefused) {
                last(ctx); // the client would not send the body
            } else {
                ctx.writeAndFlush(CONTINUE.duplicate());
            }
        }
    }

    private static @Nullable InetAddress local(ChannelHandlerContext ctx) {
        return ctx.channel().localAddress() instanceof InetSocketAddress local ? local.getAddress() : null;
    }

    private void part(ChannelHandlerContext ctx, HttpContent content) {
        if (content.decoderResult().isFailure()) {
            damaged(ctx, content.decoderResult().cause());
            return;
        }
        ByteBuf bytes = content.content();
        int count = bytes.readableBytes();
        boolean isLast = content instanceof LastHttpContent;
        if (body.size() + discarded + count > mostBytes) {
            tooLarge(ctx);
            return;
        }
        if (refusal != null) {
            discarded += count;
            if (isLast) {
                refuse(ctx, refusal);
            }
        } else if (isLast && body.size() == 0 && count <= loop.scratch.length) {
            bytes.getBytes(bytes.readerIndex(), loop.scratch, 0, count);
            dispatch(ctx, loop.scratch, count, true);
        } else if (count > 0 && !body.add(bytes, announced)) {
            loop.answer.busy("too many large requests at the same time");
            last(ctx);
        } else if (isLast) {
            dispatch(ctx, body.bytes(), body.size(), false);
        }
    }

    /**
     * Passes a complete request to its handler.
     *
     * @param isScratch whether other connections will reuse the array
     */
    private void dispatch(ChannelHandlerContext ctx, byte[] bytes, int size, boolean isScratch) {
        Route asked = route;
        if (asked == null) {
            throw new IllegalStateException("no route");
        }
        decoder.ended();
        long begin = System.nanoTime();
        Answer answer = loop.answer;
        if (!asked.isLong()) {
            Handling.whole(loop.handler(asked), bytes, size, answer);
        }
        boolean isForWorkers = asked.isLong() || answer.isDeferred();
        boolean isByPath = asked.hasParameters();
        if (isForWorkers
                && (isByPath
                        ? isHandedOver(ctx, asked, parameters, parameters.length, false)
                        : isHandedOver(ctx, asked, bytes, size, isScratch))) {
            return;
        }
        if (form.mayPack() && answer.size() <= MAX_PACKED) {
            Gzip.pack(answer, shared);
        }
        body.clear();
        if (respond(ctx, answer, begin)) {
            answered(ctx);
        } else {
            enter(State.WORKING);
        }
    }

    /** Hands a request over to the workers of its route. If they do not take it, this method returns false, and the answer of the loop tells why. */
    private boolean isHandedOver(ChannelHandlerContext ctx, Route to, byte[] bytes, int size, boolean isScratch) {
        WorkerPool pool = shared.pool(to);
        if (!pool.enter()) {
            shared.service.metrics().refused(to.pool(), Refusal.FULL);
            loop.answer.busy(TOO_MANY, "too many requests wait: route=" + to.path() + " waiting=" + pool.queue());
            return false;
        }
        Work next = new Work(to, form, isScratch ? Arrays.copyOf(bytes, size) : bytes, size);
        long begin = System.nanoTime();
        ticket = pool.execute(() -> {
            Work.Made made = next.make(shared);
            try {
                ctx.executor().execute(() -> worked(ctx, made, pool, begin));
            } catch (RejectedExecutionException e) { // the server ended without waiting any longer
                made.answer().free();
            }
        });
        if (ticket == null) {
            shared.service.metrics().refused(to.pool(), Refusal.STOPPING);
            loop.answer.busy("stopping");
            return false;
        }
        askedAt = begin;
        work = next;
        isWorking = true;
        enter(State.WORKING);
        deadline = ctx.executor().schedule(() -> late(ctx, pool), pool.deadlineNanos(), TimeUnit.NANOSECONDS);
        return true;
    }

    private void late(ChannelHandlerContext ctx, WorkerPool pool) {
        long millis = TimeUnit.NANOSECONDS.toMillis(pool.deadlineNanos());
        giveUp(ctx, Refusal.LATE, "no worker was free within " + millis + " ms");
    }

    /** Refuses the request if no worker has begun with it, or else has the worker stop, which then makes the refusal. */
    private void giveUp(ChannelHandlerContext ctx, Refusal reason, String message) {
        if (!isWorking) {
            return;
        }
        stopReason = reason;
        if (abandon()) {
            body.clear();
            loop.answer.busy(message);
            if (respond(ctx, loop.answer, askedAt)) {
                sent(ctx, true);
            }
        }
    }

    /** Stops the work of a request; returns whether no worker had begun with it. */
    private boolean abandon() {
        boolean isWithdrawn = ticket != null && ticket.withdraw();
        if (work != null) {
            work.stop();
        }
        if (isWithdrawn) {
            workEnded();
        }
        return isWithdrawn;
    }

    private void workEnded() {
        isWorking = false;
        ticket = null;
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    private void worked(ChannelHandlerContext ctx, Work.Made made, WorkerPool pool, long begin) {
        Answer answer = made.answer();
        PartHandler parts = made.parts();
        workEnded();
        boolean isGone = state != State.WORKING;
        if (isGone || parts == null) {
            body.clear();
            work = null; // holds the body too
        }
        if (isGone) {
            answer.free();
            return;
        }
        if (parts != null) {
            form = form.lastIf(shared.isClosing());
            outbound.write(ctx, parts, pool, answer, form);
            count(answer, begin);
        } else {
            boolean isWritten = respond(ctx, answer, begin);
            answer.free();
            if (isWritten) {
                sent(ctx, true);
            }
        }
        ctx.flush();
    }

    /** Continues after an answer was written that was not written at once. */
    private void sent(ChannelHandlerContext ctx, boolean isWhole) {
        work = null;
        stopReason = null;
        body.clear();
        if (!isWhole) {
            ctx.close();
        }
        if (state != State.WORKING) {
            return;
        }
        ctx.flush();
        answered(ctx);
        goOn(ctx);
    }

    /** Writes an answer; returns false if the writing goes on, in which case {@link #sent} is called at its end. */
    private boolean respond(ChannelHandlerContext ctx, Answer answer, long begin) {
        form = form.lastIf(shared.isClosing());
        if (answer.status() != 200) {
            form = form.whole();
        }
        boolean isWritten = outbound.write(ctx, answer, form);
        count(answer, begin);
        return isWritten;
    }

    private void count(Answer answer, long begin) {
        if (route != null) {
            if (stopReason != null
                    && answer.status() == BUSY) { // the worker may have ended before it saw that it should
                shared.service.metrics().refused(route.pool(), stopReason);
            }
            shared.service.metrics().answered(route, answer.status(), System.nanoTime() - begin);
        }
    }

    /** Waits for the next request after an answer, or closes the connection. */
    private void answered(ChannelHandlerContext ctx) {
        enter(State.WAITING);
        if (!form.isKept()) {
            sayEnd(ctx);
        }
    }

    private void refuse(ChannelHandlerContext ctx, Answer answer) {
        shared.service.metrics().refused();
        decoder.ended();
        ctx.write(loop.responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
        refusal = null;
        answered(ctx);
    }

    private void tooLarge(ChannelHandlerContext ctx) {
        loop.answer.refuse(413, "a body of at most " + mostBytes + " bytes is expected");
        last(ctx);
    }

    private void damaged(ChannelHandlerContext ctx, Throwable cause) {
        Intake.damaged(cause, loop.answer);
        last(ctx);
    }

    /** Writes the answer of the loop, and accepts no more requests. */
    private void last(ChannelHandlerContext ctx) {
        shared.service.metrics().refused();
        body.clear();
        refusal = null;
        Form end = form.whole().lastIf(true);
        ctx.write(loop.responses.write(ctx.alloc(), loop.answer, end), ctx.voidPromise());
        sayEnd(ctx);
    }

    /**
     * Tells the client that no more answers follow, and lets it read the ones that were sent: bytes that it still sends are discarded until it closes
     * the connection.
     */
    private void sayEnd(ChannelHandlerContext ctx) {
        enter(State.CLOSING);
        pending.clear();
        ctx.channel().config().setAutoRead(true);
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> shutDown(ctx));
    }

    private static void shutDown(ChannelHandlerContext ctx) {
        DuplexChannel channel = (DuplexChannel) ctx.channel();
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls == null) {
            channel.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(told -> channel.shutdownOutput());
        }
    }

    private void enter(State next) {
        state = next;
        since = System.nanoTime();
    }

    /** Ends requests and connections whose time is over. */
    private void tick(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        long request = shared.options.times().request().toNanos();
        boolean isUnread = !ctx.channel().isWritable() && now - blockedSince > request;
        boolean isLate = state == State.BODY
                ? pending.isEmpty() && now - since > request
                : state == State.WAITING && decoder.isBegun() && now - decoder.since() > request;
        boolean isIdle = state == State.CLOSING
                ? now - since > LINGER_NANOS
                : state == State.WAITING
                        && pending.isEmpty()
                        && now - since > shared.options.times().idle().toNanos();
        if (isUnread || (isIdle && !isLate)) {
            ctx.close();
        } else if (isLate) {
            tooSlow(ctx);
        }
    }

    private void tooSlow(ChannelHandlerContext ctx) {
        loop.answer.refuse(408, "the request took too long to arrive");
        last(ctx);
    }

    /** Ends the request that a worker answers, with a refusal if its answer has not begun. */
    void end(ChannelHandlerContext ctx) {
        giveUp(ctx, Refusal.STOPPING, "stopping");
    }

    /** Closes the connection if no request has begun; otherwise the answer to that request is the last one. */
    void stop(ChannelHandlerContext ctx) {
        if (state == State.WAITING && pending.isEmpty() && !decoder.isBegun()) {
            sayEnd(ctx);
        }
    }
}
