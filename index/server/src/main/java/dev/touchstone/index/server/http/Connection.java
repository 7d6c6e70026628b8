package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: its requests are answered one after the other, in their order.
 *
 * <p>Quick ones are answered where they are read; for a long one the connection waits, and what has come behind it waits too. Nothing more is
 * read meanwhile, nor while the client doesn't read its answers. On its event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, of which this is told
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final ByteBuf CONTINUE = Unpooled.unreleasableBuffer(
            Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII));
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
    private final Deque<Object> pending = new ArrayDeque<>(0);
    private State state = State.WAITING;
    private long since = System.nanoTime(); // when the state began
    private long blockedSince; // when the client stopped to read
    private @Nullable ScheduledFuture<?> ticks;
    private @Nullable Route route;
    private @Nullable Answer refusal; // what to answer when the body has ended
    private Form form = Form.PLAIN;
    private int mostBytes;
    private int discarded;

    Connection(Shared shared, Loop loop, RequestDecoder decoder) {
        this.shared = shared;
        this.loop = loop;
        this.decoder = decoder;
        body = new Body(shared);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        long nanos = Math.min(
                shared.options.requestTimeout().toNanos(),
                shared.options.idleTimeout().toNanos());
        long period = Math.max(TimeUnit.MILLISECONDS.toNanos(10), Math.min(nanos / 4, LINGER_NANOS / 4));
        ticks = ctx.executor().scheduleWithFixedDelay(() -> tick(ctx), period, period, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (ticks != null) {
            ticks.cancel(false);
        }
        if (state != State.WORKING) {
            body.clear(); // a worker may look at it still
        }
        enter(State.CLOSING);
        releasePending();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) { // a client that went away is no news
            LOG.log(Logger.Level.WARNING, "connection failed", cause);
        }
        ctx.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state == State.WORKING || !pending.isEmpty() || !ctx.channel().isWritable()) {
            pending.add(message);
            ctx.channel().config().setAutoRead(false);
        } else {
            process(ctx, message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
        if (state == State.WAITING) {
            decoder.passedOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            goOn(ctx);
        } else {
            blockedSince = System.nanoTime();
        }
    }

    /** Takes what has waited. */
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
        enter(State.BODY);
        form = Form.PLAIN;
        if (request.decoderResult().isFailure()) {
            damaged(ctx, request.decoderResult().cause());
            return;
        }
        route = Intake.route(request.uri());
        boolean isRefused = Intake.isRefused(request, route, shared, loop.answer);
        form(request);
        mostBytes = Intake.mostBytes(route, shared.service.limits());
        discarded = 0;
        long announced = Intake.announced(request);
        if (isRefused) {
            Answer kept = new Answer();
            kept.refuse(loop.answer);
            refusal = kept;
        }
        if (announced > mostBytes) {
            tooLarge(ctx);
        } else if (HttpUtil.is100ContinueExpected(request)) {
            if (isRefused) {
                last(ctx, loop.answer); // the body would not come
            } else {
                ctx.writeAndFlush(CONTINUE.duplicate());
            }
        }
    }

    private void form(HttpRequest request) {
        boolean isKept = HttpUtil.isKeepAlive(request) && !shared.isClosing();
        boolean isOld = !request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        boolean isChunked = route != null && route.isChunked() && !isOld;
        if (!isKept || isOld || isHead || isChunked) {
            form = new Form(isKept, isOld, isHead, isChunked);
        }
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
        } else if (count > 0 && !body.add(bytes)) {
            loop.answer.refuse(503, "too many large requests at the same time");
            loop.answer.header("retry-after", "1");
            last(ctx, loop.answer);
        } else if (isLast) {
            dispatch(ctx, body.bytes(), body.size(), false);
        }
    }

    /** @param isScratch whether other connections will use the array */
    private void dispatch(ChannelHandlerContext ctx, byte[] bytes, int size, boolean isScratch) {
        Route asked = route;
        if (asked == null) {
            throw new IllegalStateException("no route");
        }
        decoder.ended();
        if (asked.isLong()) {
            work(ctx, asked, isScratch ? Arrays.copyOf(bytes, size) : bytes, size);
            return;
        }
        long begin = System.nanoTime();
        Answer answer = loop.answer;
        handle(loop.handler(asked), bytes, size, answer);
        body.clear();
        respond(ctx, answer, begin);
        enter(State.WAITING);
        afterwards(ctx);
    }

    private static void handle(Handler handler, byte[] bytes, int size, Answer answer) {
        answer.reset();
        try {
            handler.handle(bytes, 0, size, answer);
        } catch (RuntimeException e) {
            LOG.log(
                    Logger.Level.ERROR,
                    "handler failed: handler=" + handler.getClass().getSimpleName(),
                    e);
            answer.refuse(500, "the server failed");
        }
    }

    private void work(ChannelHandlerContext ctx, Route asked, byte[] bytes, int size) {
        enter(State.WORKING);
        long begin = System.nanoTime();
        try {
            shared.workers.execute(() -> {
                Answer answer = new Answer();
                handle(shared.service.handler(asked), bytes, size, answer);
                ctx.executor().execute(() -> worked(ctx, answer, begin));
            });
        } catch (RejectedExecutionException e) {
            loop.answer.refuse(503, "stopping");
            last(ctx, loop.answer);
        }
    }

    private void worked(ChannelHandlerContext ctx, Answer answer, long begin) {
        body.clear();
        if (state != State.WORKING) {
            return; // the client has gone
        }
        respond(ctx, answer, begin);
        ctx.flush();
        enter(State.WAITING);
        afterwards(ctx);
        goOn(ctx);
    }

    private void respond(ChannelHandlerContext ctx, Answer answer, long begin) {
        if (form.isKept() && shared.isClosing()) {
            form = new Form(false, form.isOld(), form.isHead(), form.isChunked());
        }
        if (form.isChunked() && answer.status() != 200) {
            form = new Form(form.isKept(), form.isOld(), form.isHead(), false);
        }
        ctx.write(loop.responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
        if (route != null) {
            shared.service.metrics().answered(route, answer.status(), System.nanoTime() - begin);
        }
    }

    /** After an answer: the connection stays, or not. */
    private void afterwards(ChannelHandlerContext ctx) {
        if (!form.isKept()) {
            sayEnd(ctx);
        }
    }

    private void refuse(ChannelHandlerContext ctx, Answer answer) {
        shared.service.metrics().refused();
        decoder.ended();
        ctx.write(loop.responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
        refusal = null;
        enter(State.WAITING);
        afterwards(ctx);
    }

    private void tooLarge(ChannelHandlerContext ctx) {
        loop.answer.refuse(413, "a body of at most " + mostBytes + " bytes is expected");
        last(ctx, loop.answer);
    }

    private void damaged(ChannelHandlerContext ctx, Throwable cause) {
        Intake.damaged(cause, loop.answer);
        last(ctx, loop.answer);
    }

    /** Answers, and takes no more requests. */
    private void last(ChannelHandlerContext ctx, Answer answer) {
        shared.service.metrics().refused();
        body.clear();
        refusal = null;
        ctx.write(
                loop.responses.write(ctx.alloc(), answer, new Form(false, form.isOld(), form.isHead(), false)),
                ctx.voidPromise());
        sayEnd(ctx);
    }

    /** Tells the client that nothing more comes, and lets it read what has: what it still sends is passed over until it closes too. */
    private void sayEnd(ChannelHandlerContext ctx) {
        enter(State.CLOSING);
        releasePending();
        ctx.channel().config().setAutoRead(true);
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(written -> ((DuplexChannel) ctx.channel()).shutdownOutput());
    }

    private void releasePending() {
        pending.forEach(ReferenceCountUtil::release);
        pending.clear();
    }

    private void enter(State next) {
        state = next;
        since = System.nanoTime();
    }

    /** Ends what takes too long. */
    private void tick(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        long request = shared.options.requestTimeout().toNanos();
        if (!ctx.channel().isWritable() && now - blockedSince > request) {
            ctx.close();
            return;
        }
        switch (state) {
            case WAITING -> {
                if (decoder.isBegun() && now - decoder.since() > request) {
                    tooSlow(ctx);
                } else if (pending.isEmpty()
                        && now - since > shared.options.idleTimeout().toNanos()) {
                    ctx.close();
                }
            }
            case BODY -> {
                if (pending.isEmpty() && now - since > request) {
                    tooSlow(ctx);
                }
            }
            case WORKING -> {}
            case CLOSING -> {
                if (now - since > LINGER_NANOS) {
                    ctx.close();
                }
            }
        }
    }

    private void tooSlow(ChannelHandlerContext ctx) {
        loop.answer.refuse(408, "the request took too long to arrive");
        last(ctx, loop.answer);
    }

    /** The server stops: at once if no request has begun, else after its answer. */
    void stop(ChannelHandlerContext ctx) {
        if (state == State.WAITING && pending.isEmpty() && !decoder.isBegun()) {
            sayEnd(ctx);
        }
    }
}
