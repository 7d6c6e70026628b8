package dev.touchstone.index.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Cuts bytes into requests, and knows since when one has begun but not ended. For one connection, on its event loop. */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MOST_CHUNK = 64 << 10;

    private boolean isBegun;
    private long since;

    RequestDecoder(HttpOptions options) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(options.maxLineBytes())
                .setMaxHeaderSize(options.maxHeaderBytes())
                .setMaxChunkSize(MOST_CHUNK));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        begin();
        super.channelRead(ctx, message);
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
