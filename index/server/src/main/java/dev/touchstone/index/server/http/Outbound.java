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
 * The answers of one connection while they are sent. A short answer is written at once. A long one is written as fast as the client reads, and the
 * memory of the rest is taken from the budget of all connections. Used on the event loop of the connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which the connection notices
final class Outbound {
    /** Maximum length of an answer that is written at once, in bytes. The rest of a longer answer stays in the heap until the client reads it. */
    private static final int WHOLE_BYTES = 64 << 10;

    /** Numbers of unread bytes: above the higher one the client counts as not reading, and below the lower one it reads again. */
    static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(16 << 10, 32 << 10);

    /**
     * Memory of a client that does not read, in bytes: four times the unread bytes, because each short answer is in a buffer with room for a head and
     * two objects.
     */
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
    private @Nullable WorkerPool workers; // of the parts
    private Answer part = new Answer();
    private boolean isPartWanted; // whether the next part is made once the client has read the last one
    private boolean isWorking; // whether a worker makes a part from the body of the request
    private boolean isWriting;

    /** A listener for the end of an answer that is not written at once. */
    @FunctionalInterface
    interface Sent {
        /** Called when the answer is written, or when its rest could not be made and {@code isWhole} is false. */
        void sent(ChannelHandlerContext ctx, boolean isWhole);
    }

    Outbound(Shared shared, ResponseWriter responses, Sent sent) {
        this.shared = shared;
        this.responses = responses;
        this.sent = sent;
    }

    /** Returns whether a worker reads the body of the request. */
    boolean isWorking() {
        return isWorking;
    }

    /**
     * Writes an answer.
     *
     * @return false if the writing goes on; {@link Sent} is called at its end
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

    /** Writes the first part of an answer. {@link Sent} is called at its end. */
    void write(ChannelHandlerContext ctx, PartHandler handler, WorkerPool pool, Answer first, Form form) {
        parts = handler;
        workers = pool;
        part = first;
        ctx.write(responses.head(ctx.alloc(), first, form), ctx.voidPromise());
        writePart(ctx, true);
    }

    private boolean isIdle() {
        return end == 0 && parts == null;
    }

    /** Notes that the client does not read; returns false if there is not enough memory for another such client. */
    boolean block() {
        isBlocked = isBlocked || shared.take(BLOCKED_BYTES);
        return isBlocked;
    }

    /** Continues after the client has read. */
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

    /** Releases the memory of a connection that is closed. */
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
            return; // called again by a flush below
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
        WorkerPool pool = workers;
        if (handler == null || pool == null) {
            return;
        }
        isPartWanted = false;
        isWorking = true;
        try {
            pool.executeFurther(() -> {
                Made made = Handling.next(handler, part);
                ctx.executor().execute(() -> made(ctx, made));
            });
        } catch (RejectedExecutionException e) { // the server has stopped, and the rest is dropped
            made(ctx, Made.FAILED);
        }
    }

    private void made(ChannelHandlerContext ctx, Made made) {
        isWorking = false;
        if (parts == null || made == Made.FAILED) { // the client has gone, or must see that the answer is cut off
            parts = null;
            sent.sent(ctx, false);
        } else {
            writePart(ctx, made == Made.MORE);
        }
    }
}
