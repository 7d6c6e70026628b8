package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Answer;
import dev.touchstone.index.server.api.PriceService;
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
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running HTTP server. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // failures of these calls close the channel
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Shared shared;
    private final Transport transport;
    private final EventLoopGroup loops;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<EventExecutor, Loop> perLoop = new ConcurrentHashMap<>();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Channel listening;

    private HttpServer(PriceService service, HttpOptions options) throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService workers =
                Executors.newFixedThreadPool(processors, new DefaultThreadFactory("price-worker", true));
        shared = new Shared(service, options, workers);
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
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Outbound.MARKS)
                .childHandler(new Initializer())
                .bind(options.host(), options.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            workers.shutdown();
            throw new IOException(
                    "cannot listen: host=" + options.host() + " port=" + options.port() + ": "
                            + bound.cause().getMessage(),
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
     */
    public static HttpServer start(PriceService service, HttpOptions options) throws IOException {
        return new HttpServer(service, options);
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
     * Stops the server. {@code /ready} answers 503 at once. After {@link HttpOptions#drain}, no further connection and no further request is
     * accepted. Requests that had begun are answered within {@link HttpOptions#grace}. Returns when the server has stopped.
     */
    @Override
    public void close() {
        if (!isStopped.compareAndSet(false, true)) {
            return;
        }
        shared.service.stopping();
        try {
            // nothing ends this wait early: it lets clients of /ready see the 503
            end.await(shared.options.drain().toNanos(), TimeUnit.NANOSECONDS);
            shared.close();
            listening.close().awaitUninterruptibly();
            for (Channel channel : connections) {
                channel.eventLoop().execute(() -> stop(channel));
            }
            Duration grace = shared.options.grace();
            connections.newCloseFuture().await(grace.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shared.close();
            listening.close();
            connections.close();
            shared.workers.shutdownNow();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
            end.countDown();
        }
    }

    private static void stop(Channel channel) {
        Connection connection = channel.pipeline().get(Connection.class);
        ChannelHandlerContext ctx = channel.pipeline().context(Connection.class);
        if (connection != null && ctx != null) {
            connection.stop(ctx);
        }
    }

    /** An initializer of new connections. */
    private final class Initializer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            Loop loop = perLoop.computeIfAbsent(channel.eventLoop(), executor -> new Loop(shared.service));
            long open = shared.service.metrics().opened();
            channel.closeFuture().addListener(closed -> shared.service.metrics().closed());
            if (open > shared.options.maxConnections()) {
                Answer answer = loop.answer;
                answer.busy("too many connections");
                channel.writeAndFlush(loop.responses.write(channel.alloc(), answer, ResponseWriter.Form.LAST))
                        .addListener(ChannelFutureListener.CLOSE);
                return;
            }
            RequestDecoder decoder = new RequestDecoder(shared);
            channel.pipeline().addLast(decoder, new Connection(shared, loop, decoder));
            connections.add(channel);
            if (shared.isClosing()) {
                channel.close();
            }
        }
    }
}
