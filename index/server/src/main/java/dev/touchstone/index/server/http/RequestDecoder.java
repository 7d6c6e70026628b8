package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;

/**
 * A decoder of requests that also knows since when a request is incomplete. For one connection, on its event loop.
 *
 * <p>The incomplete head of a request that arrives in small pieces takes many times its length of memory. That memory is taken from the budget of all
 * connections.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK = 64 << 10;

    /** Bytes of heap for each byte of a head, if its headers are as short as possible. */
    private static final int HEAD_COST = 32;

    private final Shared shared;
    private boolean isBegun;
    private boolean isInHead; // whether the head is incomplete behind its first line
    private int taken;
    private long since;
    private long reads;

    RequestDecoder(Shared shared) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(shared.options.sizes().lineBytes())
                .setMaxHeaderSize(shared.options.sizes().headerBytes())
                .setMaxChunkSize(MAX_CHUNK));
        this.shared = shared;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the connection is not waited for
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        begin();
        reads++;
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        super.channelRead(ctx, message);
        if (isInHead && !take(HEAD_COST * Math.min(bytes, shared.options.sizes().headerBytes()))) {
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

    /** Releases the memory of an incomplete head. */
    void close() {
        headEnded();
    }

    private void begin() {
        if (!isBegun) {
            isBegun = true;
            since = System.nanoTime();
        }
    }

    /** Notes that a request has arrived completely. */
    void ended() {
        isBegun = false;
    }

    /** Notes that all received bytes were passed on except those of an incomplete request. */
    void passedOn() {
        if (actualReadableBytes() > 0) {
            begin();
        }
    }

    /** Returns whether a request has begun to arrive but is incomplete. */
    boolean isBegun() {
        return isBegun;
    }

    long since() {
        return since;
    }

    /** Returns how many times bytes have arrived. */
    long reads() {
        return reads;
    }
}
