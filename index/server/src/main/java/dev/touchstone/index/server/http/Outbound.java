package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.http.Handling.Made;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Answers on their way out of one connection. A short one is written at once; of a long one no more than the client reads, and what waits
 * for it is taken from what all connections share. On the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, of which the connection is told
final class Outbound {
    /** A longer answer waits in the heap for the client to read it. */
    private static final int WHOLE_BYTES = 64 << 10;

    /** Bytes that a client has not read when it counts as one that does not read, and when it reads again. */
    static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(16 << 10, 32 << 10);

    /** What such a client costs: of short answers, each in a buffer with a head's room and two objects, four times their bytes. */
    private static final int BLOCKED_BYTES = 4 * MARKS.high();

    private static final byte[] NONE = {};

    private final Shared shared;
    private final ResponseWriter responses;
    private final Sent sent;
    private boolean isBlocked;
    private byte[] rest = NONE;
    private int at;
    private int end;
    private @Nullable PartHandler parts;
    private Answer part = new Answer();
    private boolean isPartWanted; // as soon as the client has read the last one
    private boolean isWorking; // a worker makes a part, from the request's body
    private boolean isWriting;

    /** Who is told that an answer which took longer is written. */
    @FunctionalInterface
    interface Sent {
        /** The answer is written; or it is not whole, because the rest could not be made. */
        void sent(ChannelHandlerContext ctx, boolean isWhole);
    }

    Outbound(Shared shared, ResponseWriter responses, Sent sent) {
        this.shared = shared;
        this.responses = responses;
        this.sent = sent;
    }

    /** Whether a worker looks at the body of the request. */
    boolean isWorking() {
        return isWorking;
    }

    /**
     * Writes an answer.
     *
     * @return false if it takes longer; {@link Sent} is told of its end
     */
    boolean write(ChannelHandlerContext ctx, Answer answer, Form form) {
        int size = answer.size();
        if (size > WHOLE_BYTES && !form.isHead() && !form.isChunked()) {
            if (shared.take(answer.bytes().length - answer.taken())) {
                ctx.write(responses.head(ctx.alloc(), answer, form), ctx.voidPromise());
                rest = answer.take();
                at = 0;
                end = size;
                writeRest(ctx, false);
                return isIdle();
            }
            answer.busy("too many large answers at the same time");
        }
        ctx.write(responses.write(ctx.alloc(), answer, form), ctx.voidPromise());
        return true;
    }

    /** Writes the first part of an answer, of which {@link Sent} is told the end. */
    void write(ChannelHandlerContext ctx, PartHandler handler, Answer first, Form form) {
        parts = handler;
        part = first;
        ctx.write(responses.head(ctx.alloc(), first, form), ctx.voidPromise());
        writePart(ctx, true);
    }

    private boolean isIdle() {
        return end == 0 && parts == null;
    }

    /** The client does not read; false if there are too many of those. */
    boolean block() {
        isBlocked = isBlocked || shared.take(BLOCKED_BYTES);
        return isBlocked;
    }

    /** The client reads again. */
    void unblock(ChannelHandlerContext ctx) {
        if (isBlocked) {
            isBlocked = false;
            shared.give(BLOCKED_BYTES);
        }
        if (end > 0) {
            writeRest(ctx, true);
        } else if (isPartWanted) {
            makePart(ctx);
        }
    }

    /** The connection is no more. */
    void close() {
        if (isBlocked) {
            isBlocked = false;
            shared.give(BLOCKED_BYTES);
        }
        clearRest();
        isPartWanted = false;
        parts = null;
    }

    private void clearRest() {
        shared.give(rest.length);
        rest = NONE;
        end = 0;
    }

    private void writeRest(ChannelHandlerContext ctx, boolean isTold) {
        if (isWriting) {
            return; // a flush below has made room
        }
        isWriting = true;
        while (at < end && ctx.channel().isWritable()) {
            int count = Math.min(WHOLE_BYTES / 2, end - at);
            ByteBuf slice = ctx.alloc().directBuffer(count).writeBytes(rest, at, count);
            at += count;
            ctx.writeAndFlush(slice, ctx.voidPromise());
        }
        isWriting = false;
        if (end > 0 && at == end) {
            clearRest();
            if (isTold) {
                sent.sent(ctx, true);
            }
        }
    }

    private void writePart(ChannelHandlerContext ctx, boolean isMore) {
        ctx.writeAndFlush(responses.chunk(ctx.alloc(), part, !isMore), ctx.voidPromise());
        if (!isMore) {
            parts = null;
            sent.sent(ctx, true);
        } else if (ctx.channel().isWritable()) {
            makePart(ctx);
        } else {
            isPartWanted = true;
        }
    }

    private void makePart(ChannelHandlerContext ctx) {
        PartHandler handler = parts;
        if (handler == null) {
            return;
        }
        isPartWanted = false;
        isWorking = true;
        try {
            shared.workers.execute(() -> {
                Made made = Handling.next(handler, part);
                ctx.executor().execute(() -> made(ctx, made));
            });
        } catch (RejectedExecutionException e) { // the server has stopped, and takes no heed of what is left
            made(ctx, Made.FAILED);
        }
    }

    private void made(ChannelHandlerContext ctx, Made made) {
        isWorking = false;
        if (parts == null || made == Made.FAILED) { // the client has gone, or must see that this is not all
            parts = null;
            sent.sent(ctx, false);
        } else {
            writePart(ctx, made == Made.MORE);
        }
    }
}
