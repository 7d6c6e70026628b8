package dev.touchstone.index.server.http;

import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The TLS of the connections of a server. Thread-safe.
 *
 * <p>Handshakes are computed by threads of their own, so that the requests of other connections do not wait for them. The newest goes first: when there
 * are more than can be computed in their time, some are in time all the same. A connection has one such task at most, and what it sends meanwhile is
 * limited. A client cannot begin a second handshake on its connection.
 */
final class Tls {
    /** Suites with forward secrecy and authenticated encryption, as RFC 9325 recommends them. */
    private static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final long IDLE_SECONDS = 10;

    private final SslContext context;
    private final MemoryBudget room;
    private final long timeoutMillis;
    private final ThreadPoolExecutor threads;

    /**
     * Creates the TLS of a server.
     *
     * @param room memory for what clients send before their handshakes have ended
     * @param timeoutMillis maximum time of a handshake
     * @param count number of threads that compute handshakes
     * @throws IOException if the identity cannot be used
     */
    Tls(TlsIdentity identity, MemoryBudget room, long timeoutMillis, int count) throws IOException {
        context = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
                .build();
        this.room = room;
        this.timeoutMillis = timeoutMillis;
        threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new NewestFirst(),
                new DefaultThreadFactory("price-tls", true));
        threads.allowCoreThreadTimeOut(true);
    }

    /** A queue of tasks, not more than there are connections. */
    private static final class NewestFirst extends LinkedBlockingDeque<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return offerFirst(task);
        }
    }

    /** Adds the handlers of TLS to a new connection, in front of its decoder of requests. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is all that waits for the handshake
    void addTo(Channel channel, RequestDecoder decoder) {
        SslHandler records = new Records(context.newEngine(channel.alloc()), task -> execute(channel, task), decoder);
        records.setHandshakeTimeoutMillis(timeoutMillis);
        Handshake handshake = new Handshake(room);
        channel.pipeline().addLast(handshake, records);
        records.handshakeFuture().addListener(done -> {
            records.engine().setEnableSessionCreation(false); // so a further handshake of this connection fails
            if (channel.pipeline().context(handshake) != null) {
                channel.pipeline().remove(handshake);
            }
        });
    }

    /** Executes a task of a handshake, unless its connection is closed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is all that waits for the end of the connection
    void execute(Channel channel, Runnable task) {
        threads.execute(task);
        channel.closeFuture().addListener(closed -> threads.remove(task));
    }

    /** Closes a connection whose handshake has not ended, and returns whether it had one. Called on its event loop. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the connection is not waited for
    static boolean closeHandshake(Channel channel) {
        ChannelHandlerContext ctx = channel.pipeline().context(Handshake.class);
        if (ctx == null) {
            return false;
        }
        ctx.close(); // without the handler of TLS, which would tell the client and wait
        return true;
    }

    /** Stops the threads. The connections must be closed. */
    void stop() {
        threads.shutdownNow();
    }

    /**
     * The records of a connection. Ends it if many of them bring no data after the handshake: each may make the server compute new keys and answer, which
     * takes much longer than to send it. For one connection, on its event loop.
     */
    private static final class Records extends SslHandler {
        /** Maximum number of records without data, which programs send when their keys are worn out, after gigabytes. */
        private static final int MAX_EMPTY = 16;

        private final RequestDecoder decoder;
        private int empty;

        Records(SSLEngine engine, Executor tasks, RequestDecoder decoder) {
            super(engine, tasks);
            this.decoder = decoder;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the end of the connection is not waited for
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws SSLException {
            int before = in.readableBytes();
            if (empty > MAX_EMPTY) {
                in.skipBytes(before);
                return;
            }
            long reads = decoder.reads();
            super.decode(ctx, in, out); // one record at most
            boolean isEmpty = in.readableBytes() < before && decoder.reads() == reads;
            if (isEmpty && handshakeFuture().isSuccess() && ++empty > MAX_EMPTY) {
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
            if (!ctx.isRemoved()) { // else the connection was closed before its task had ended
                super.exceptionCaught(ctx, cause);
            }
        }
    }

    /** A limit of the bytes that a connection receives before its handshake has ended: beyond it nothing is read. For one connection, on its event loop. */
    static final class Handshake extends ChannelDuplexHandler {
        /** Maximum number of bytes, and of those of the last read; a message of a handshake has at most 32 KiB. */
        static final int MAX_BYTES = 32 << 10;

        private final MemoryBudget room;
        private int taken;
        private boolean isHeld; // whether nothing is read

        Handshake(MemoryBudget room) {
            this.room = room;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the end of the connection is not waited for
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            int bytes = ((ByteBuf) message).readableBytes();
            if (!room.take(bytes)) {
                ((ByteBuf) message).release();
                ctx.close();
                return;
            }
            taken += bytes;
            if (taken > MAX_BYTES && !isHeld) {
                isHeld = true;
                ctx.channel().config().setAutoRead(false);
            }
            ctx.fireChannelRead(message);
        }

        @Override
        public void read(ChannelHandlerContext ctx) {
            if (!isHeld) { // the handler of TLS asks for more until the handshake has ended
                ctx.read();
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            room.give(taken);
            if (isHeld && ctx.channel().isActive()) {
                ctx.channel().config().setAutoRead(true);
            }
        }
    }
}
