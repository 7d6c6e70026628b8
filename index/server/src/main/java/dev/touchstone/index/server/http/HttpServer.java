package dev.touchstone.index.server.http;

import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A running HTTP server. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // failures of these calls close the channel
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    /** Time for refusals to be sent after the grace. */
    private static final long LAST_SECONDS = 2;

    private final @Nullable Tls tls;
    private final Shared shared;
    private final HandlerFactory factory;
    private final Transport transport;
    private final EventLoopGroup loops;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<EventExecutor, Loop> perLoop = new ConcurrentHashMap<>();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Channel listening;

    private HttpServer(PriceService service, HttpOptions options, Function<Route, Handler> handlers)
            throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        TlsIdentity identity = options.tls();
        factory = new HandlerFactory(service);
        shared = new Shared(service, options, handlers);
        tls = identity == null
                ? null
                : new Tls(identity, shared, options.times().request().toMillis(), Math.max(1, processors / 2));
        transport = Transport.best();
        loops = new MultiThreadIoEventLoopGroup(
                options.eventLoops() == 0 ? processors : options.eventLoops(),
                new DefaultThreadFactory("price-http"),
                transport.events());
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(transport.channel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Connection.MARKS)
                .childHandler(new Initializer())
                .bind(options.host(), options.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            shared.stopWorkers();
            throw new IOException(
                    "cannot listen: host=" + options.host() + " port=" + options.port() + ": "
                            + (bound.cause() instanceof UnresolvedAddressException
                                    ? "unknown host; check the name"
                                    : bound.cause().getMessage()),
                    bound.cause());
        }
        listening = bound.channel();
    }

    /**
     * Starts a server.
     *
     * @param service service that answers the requests
     * @param options address, limits and times
     * @return a running server
     * @throws IOException if the server cannot listen at the address
     * @throws IllegalArgumentException if the address is beyond this machine, and tokens or TLS are missing
     */
    public static HttpServer start(PriceService service, HttpOptions options) throws IOException {
        return start(service, options, new HandlerFactory(service)::handler);
    }

    /** Starts a server whose workers have other handlers than those of the service. */
    static HttpServer start(PriceService service, HttpOptions options, Function<Route, Handler> handlers)
            throws IOException {
        options.checkAddress();
        return new HttpServer(service, options, handlers);
    }

    /**
     * Returns the address at which the server listens.
     *
     * @return address with the actual port
     */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /**
     * Returns the scheme of the addresses of the server.
     *
     * @return {@code http}, or {@code https} if the server speaks TLS
     */
    public String scheme() {
        return shared.scheme();
    }

    /**
     * Returns the mechanism by which the server waits for sockets.
     *
     * @return {@code epoll} or {@code nio}
     */
    public String transport() {
        return transport.name();
    }

    /**
     * Waits until the server has stopped.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void join() throws InterruptedException {
        end.await();
    }

    /**
     * Stops the server. {@code /ready} answers 503 at once. After the {@linkplain HttpOptions.Times#drain time to drain}, no further connection and no
     * further request is accepted. Requests that had begun are answered within the {@linkplain HttpOptions.Times#grace grace}; those that wait for a
     * worker even then are answered 503. Returns when the server has stopped.
     */
    @Override
    public void close() {
        if (!isStopped.compareAndSet(false, true)) {
            return;
        }
        shared.service.stopping();
        try {
            // nothing ends this wait early: it lets clients of /ready see the 503
            end.await(shared.options.times().drain().toNanos(), TimeUnit.NANOSECONDS);
            shared.close();
            listening.close().awaitUninterruptibly();
            forEachConnection((connection, ctx) -> {
                if (!Tls.closeHandshake(ctx.channel())) {
                    connection.stop(ctx);
                }
            });
            ChannelGroupFuture closed = connections.newCloseFuture();
            Duration grace = shared.options.times().grace();
            if (!closed.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                forEachConnection(Connection::end);
                closed.await(LAST_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shared.close();
            listening.close();
            connections.close();
            shared.stopWorkers();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
            if (tls != null) {
                tls.stop();
            }
            end.countDown();
        }
    }

    private void forEachConnection(BiConsumer<Connection, ChannelHandlerContext> action) {
        for (Channel channel : connections) {
            channel.eventLoop().execute(() -> {
                Connection connection = channel.pipeline().get(Connection.class);
                ChannelHandlerContext ctx = channel.pipeline().context(Connection.class);
                if (connection != null && ctx != null) {
                    action.accept(connection, ctx);
                }
            });
        }
    }

    /** An initializer of new connections. */
    private final class Initializer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            Loop loop = perLoop.computeIfAbsent(channel.eventLoop(), executor -> new Loop(factory, shared));
            long open = shared.service.metrics().opened();
            channel.closeFuture().addListener(closed -> shared.service.metrics().closed());
            int most = shared.options.sizes().connections();
            boolean isFull = open > most && !loop.closeWaiting(most);
            if (isFull) { // the next connection has the place of one of another loop
                perLoop.forEach((executor, other) -> executor.execute(() -> other.closeWaiting(most)));
            }
            if (isFull && tls != null) { // a refusal would need a handshake first
                channel.close();
                return;
            }
            if (isFull) {
                Response answer = loop.answer;
                answer.busy("too many connections");
                channel.writeAndFlush(loop.responses.write(channel.alloc(), answer, ResponseWriter.Form.LAST))
                        .addListener(ChannelFutureListener.CLOSE);
                return;
            }
            RequestDecoder decoder = new RequestDecoder(shared);
            if (tls != null) {
                tls.addTo(channel, decoder);
            }
            Connection connection = new Connection(shared, loop, decoder);
            channel.pipeline().addLast(decoder, connection);
            loop.add(channel, connection);
            connections.add(channel);
            if (shared.isClosing()) {
                channel.close();
            }
        }
    }
}
