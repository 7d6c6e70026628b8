package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;

/**
 * Cuts bytes into requests, and knows since when one has begun but not ended. For one connection, on its event loop.
 *
 * <p>The head of a request that comes bit by bit takes many times its bytes while it is not complete. That room is taken from what all connections share.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK = 64 << 10;

    /** Bytes of heap for a byte of a head, where its headers are as short as can be. */
    private static final int HEAD_COST = 32;

    private final Shared shared;
    private boolean isBegun;
    private boolean isInHead; // behind its first line
    private int taken;
    private long since;

    RequestDecoder(Shared shared) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(shared.options.maxLineBytes())
                .setMaxHeaderSize(shared.options.maxHeaderBytes())
                .setMaxChunkSize(MAX_CHUNK));
        this.shared = shared;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the connection's end
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        begin();
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        super.channelRead(ctx, message);
        if (isInHead && !take(HEAD_COST * Math.min(bytes, shared.options.maxHeaderBytes()))) {
            ctx.close();
        }
    }

    private boolean take(int cost) {
        if (shared.take(cost)) {
            taken += cost;
            return true;
        }
        return false;
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) throws Exception {
        isInHead = true;
        return super.createMessage(initialLine);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        int before = out.size();
        super.decode(ctx, buffer, out);
        if (out.size() > before) {
            headEnded();
        }
    }

    private void headEnded() {
        isInHead = false;
        shared.give(taken);
        taken = 0;
    }

    /** The connection is no more. */
    void close() {
        headEnded();
    }

    private void begin() {
        if (!isBegun) {
            isBegun = true;
            since = System.nanoTime();
        }
    }

    /** A request is there up to its last byte. */
    void ended() {
        isBegun = false;
    }

    /** All that was received is passed on, except what is not enough. */
    void passedOn() {
        if (actualReadableBytes() > 0) {
            begin();
        }
    }

    /** Whether bytes of a request are there that has not ended. */
    boolean isBegun() {
        return isBegun;
    }

    long since() {
        return since;
    }
}
