package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.ConnectionState.CLOSED;
import static dev.touchstone.index.server.http.ConnectionState.CLOSING;
import static dev.touchstone.index.server.http.ConnectionState.HANDLING;
import static dev.touchstone.index.server.http.ConnectionState.HEAD;
import static dev.touchstone.index.server.http.ConnectionState.MAKING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import dev.touchstone.index.server.http.ConnectionModel.Kind;
import dev.touchstone.index.server.http.ConnectionModel.Message;
import dev.touchstone.index.server.http.ConnectionModel.Order;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random sequences of the events of a connection, on a channel without a socket, beside a model of a few lines. After each event, state and answers are
 * those of the model; after each connection, all memory is given back. Each event happens in each state.
 */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // this channel closes at once
class ConnectionModelTest {
    private static final int MIN_CONNECTIONS = 2_000;
    private static final int MAX_CONNECTIONS = 50_000; // by which rare pairs of a state and an event are seen
    private static final int EVENTS = 40; // of a connection, at most
    private static final int LIMIT = ConnectionModel.MAX_BODY;
    private static final int LARGE = ConnectionModel.LARGE;
    private static final int BUFFERED = 8 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofDays(1);
    private static final String SEARCH = "{\"offering\":\"o\"}";
    private static final Logger TRACE = Logger.getLogger(Connection.class.getName());
    private static final Logger FAILURES = Logger.getLogger(RequestDispatch.class.getName());

    private enum Event {
        HEAD_COMES,
        PART_COMES,
        END_COMES,
        DAMAGE_COMES,
        CLIENT_STOPS_READING,
        CLIENT_READS,
        WORKER_ENDS,
        WORKER_IS_BUSY,
        DEADLINE_IS_OVER,
        SERVER_STOPS_IDLE,
        SERVER_STOPS_WORK,
        CONNECTION_FAILS,
        CLIENT_LEAVES
    }

    private static final Map<ConnectionState, Set<Event>> ALL = new EnumMap<>(ConnectionState.class);

    static {
        for (ConnectionState state : ConnectionState.values()) {
            boolean isWorking = state == HANDLING || state == MAKING;
            ALL.put(
                    state,
                    isWorking ? EnumSet.allOf(Event.class) : EnumSet.complementOf(EnumSet.of(Event.WORKER_ENDS)));
        }
    }

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final Map<ConnectionState, Set<Event>> seen = new EnumMap<>(ConnectionState.class);
    private final List<ConnectionState> entered = new ArrayList<>();
    private final java.util.logging.Handler watch = new java.util.logging.Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getParameters() != null && line.getParameters().length == 3) {
                entered.add((ConnectionState) line.getParameters()[2]);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final Shared shared = shared();
    private final Loop loop = new Loop(new HandlerFactory(shared.service), shared);

    private Shared shared() {
        HttpOptions options = HttpOptions.DEFAULT
                .withLimits(100, BUFFERED)
                .withTimes(new HttpOptions.Times(LONG, LONG, Duration.ZERO, LONG))
                .withWorkers(Route.Pool.SEARCH, new HttpOptions.Workers(1, 2, DEADLINE));
        PriceIndex index = PriceIndex.builder()
                .build(List.of(new Price("p", "o", Map.of(), BigDecimal.ONE, "EUR", false, "-".repeat(LARGE))));
        Limits limits = new Limits(LIMIT, LIMIT, 100, 16, 16);
        return new Shared(new PriceService(index, limits), options, route -> new Obedient());
    }

    private <T> T pick(T[] of) {
        return of[random.nextInt(of.length)];
    }

    /** Answers as it is ordered to. */
    private final class Obedient implements PartHandler {
        private boolean make(Response answer) {
            Order order;
            try {
                order = orders.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            answer.checkStopped();
            if (order.isFailure()) {
                throw new IllegalStateException("on purpose");
            }
            answer.pack(new byte[order.bytes()]);
            return !order.isLast();
        }

        @Override
        public void handle(byte[] body, int from, int to, Response answer) {
            make(answer);
        }

        @Override
        public boolean begin(byte[] body, int from, int to, Response answer) {
            return make(answer);
        }

        @Override
        public boolean next(Response answer) {
            return make(answer);
        }
    }

    /** A channel without a socket, whose sending side can be ended. */
    private static final class SocketlessChannel extends EmbeddedChannel implements DuplexChannel {
        private boolean isEnded;

        SocketlessChannel(ChannelHandler handler) {
            super(false, false);
            config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Connection.MARKS);
            pipeline().addLast(handler);
        }

        @Override
        public boolean isInputShutdown() {
            return false;
        }

        @Override
        public ChannelFuture shutdownInput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelFuture shutdownInput(ChannelPromise promise) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOutputShutdown() {
            return isEnded;
        }

        @Override
        public ChannelFuture shutdownOutput() {
            return shutdownOutput(newPromise());
        }

        @Override
        public ChannelFuture shutdownOutput(ChannelPromise promise) {
            isEnded = true;
            return promise.setSuccess();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public ChannelFuture shutdown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelFuture shutdown(ChannelPromise promise) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void watch() {
        FAILURES.setLevel(Level.OFF); // they are on purpose
        TRACE.setLevel(Level.ALL);
        TRACE.setUseParentHandlers(false);
        TRACE.addHandler(watch);
    }

    @AfterEach
    void stop() {
        shared.stopWorkers();
        TRACE.removeHandler(watch);
        TRACE.setUseParentHandlers(true);
        TRACE.setLevel(null);
        FAILURES.setLevel(null);
    }

    @Test
    void randomEvents_inEachState_leadToTheStateOfTheModel() throws Exception {
        for (int i = 0; i < MIN_CONNECTIONS || (i < MAX_CONNECTIONS && !seen.equals(ALL)); i++) {
            new Run().run();
        }
        assertThat(seen).as("-Dseed=%d", seed).isEqualTo(ALL);
    }

    /** One connection. */
    private final class Run {
        private final ConnectionModel model = new ConnectionModel();
        private final RequestDecoder decoder = new RequestDecoder(shared);
        private final Connection connection = new Connection(shared, loop, decoder);
        private final SocketlessChannel channel = new SocketlessChannel(connection);
        private final List<Integer> answers = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private final WorkerPool pool = shared.pool(Route.SEARCH_ALL);
        private final Object client = shared.access.client(null, null); // that of the channel, whose tasks run in order
        private @Nullable CountDownLatch blocker;
        private boolean isInBody; // whether the client has sent a head without the end of its body

        @SuppressWarnings("NullAway.Init") // set by run
        private ChannelHandlerContext ctx;

        void run() throws Exception {
            entered.clear();
            channel.register();
            ctx = channel.pipeline().context(connection);
            for (int i = random.nextInt(EVENTS); i >= 0; i--) {
                Event event = random.nextInt(4) > 0 ? calm() : pick(Event.values());
                if (event == Event.WORKER_ENDS && !isWorking()) {
                    continue;
                }
                seen.computeIfAbsent(model.state, any -> EnumSet.noneOf(Event.class))
                        .add(event);
                log.add(model.state + " " + event);
                happen(event);
                check();
            }
            end();
        }

        /** Returns an event that leads on. */
        private Event calm() {
            if (isWorking()) {
                return random.nextInt(3) > 0 ? Event.WORKER_ENDS : Event.CLIENT_STOPS_READING;
            }
            return switch (random.nextInt(8)) {
                case 0 -> Event.CLIENT_STOPS_READING;
                case 1, 2 -> Event.CLIENT_READS;
                case 3 -> Event.PART_COMES;
                default -> isInBody ? Event.END_COMES : Event.HEAD_COMES;
            };
        }

        private boolean isWorking() {
            return blocker == null && (model.state == HANDLING || model.state == MAKING);
        }

        private void happen(Event event) throws Exception {
            switch (event) {
                case HEAD_COMES -> head();
                case PART_COMES -> content(random.nextInt(LIMIT), false, false);
                case END_COMES -> content(0, true, false);
                case DAMAGE_COMES -> content(0, random.nextBoolean(), true);
                case CLIENT_STOPS_READING -> reads(false);
                case CLIENT_READS -> reads(true);
                case WORKER_ENDS -> work();
                case WORKER_IS_BUSY -> block();
                case DEADLINE_IS_OVER -> {
                    boolean isDue = model.state == HANDLING || model.state == MAKING;
                    channel.advanceTimeBy(DEADLINE.toNanos() + 1, TimeUnit.NANOSECONDS);
                    if (isDue) {
                        model.gaveUp();
                    }
                }
                case SERVER_STOPS_IDLE -> {
                    connection.stop(ctx);
                    if (model.state == HEAD && model.waiting.isEmpty()) {
                        model.close(CLOSING);
                    }
                }
                case SERVER_STOPS_WORK -> {
                    connection.end(ctx);
                    model.gaveUp();
                }
                case CONNECTION_FAILS -> {
                    if (channel.isOpen()) {
                        channel.pipeline().fireExceptionCaught(new IOException("on purpose"));
                    }
                    model.close(CLOSED);
                }
                case CLIENT_LEAVES -> {
                    channel.close();
                    model.close(CLOSED);
                }
            }
            channel.runPendingTasks();
            while (isWorking() && pool.waiting() > 0) { // otherwise the work could still be withdrawn
                LockSupport.parkNanos(100_000);
            }
        }

        private void head() {
            Kind kind = pick(Kind.values());
            boolean isKept = random.nextInt(4) > 0;
            HttpMethod method = kind == Kind.SMALL ? HttpMethod.GET : HttpMethod.POST;
            String path = switch (kind) {
                case SMALL -> "/health";
                case LARGE_QUICK -> "/v2/search";
                case WHOLE -> "/v4/search/bitmap/bulk/prices";
                case PARTS -> "/v2/search/all";
                default -> "/nowhere";
            };
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, path);
            request.headers().set(HttpHeaderNames.HOST, "localhost");
            if (!isKept) {
                request.headers().set(HttpHeaderNames.CONNECTION, "close");
            }
            if (kind == Kind.TOO_LARGE) {
                request.headers().set(HttpHeaderNames.CONTENT_LENGTH, LIMIT + 1);
            }
            if (kind == Kind.UNKNOWN_ASKING) {
                request.headers().set(HttpHeaderNames.EXPECT, "100-continue");
            }
            if (kind == Kind.DAMAGED) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("on purpose")));
            }
            isInBody = true;
            send(request, new Message(kind, isKept, 0, false, kind == Kind.DAMAGED));
        }

        private void content(int spaces, boolean isEnd, boolean isDamaged) {
            String text = " ".repeat(spaces) + (isEnd ? SEARCH : "");
            ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
            HttpContent content = isEnd ? new DefaultLastHttpContent(bytes) : new DefaultHttpContent(bytes);
            if (isDamaged) {
                content.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("on purpose")));
            }
            isInBody &= !isEnd;
            send(content, new Message(null, true, text.length(), isEnd, isDamaged));
        }

        private void send(Object message, Message known) {
            if (channel.isOpen()) {
                channel.writeInbound(message);
            }
            model.comes(known);
        }

        private void reads(boolean isReading) {
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            if (buffer != null) {
                buffer.setUserDefinedWritability(1, isReading);
            }
            model.isReading = isReading;
            channel.runPendingTasks();
            model.advance();
        }

        private void work() throws InterruptedException {
            Order order = new Order(random.nextBoolean() ? 10 : LARGE, random.nextInt(3) == 0, random.nextInt(6) == 0);
            orders.add(order);
            awaitWorker();
            model.worked(order);
        }

        /** Waits until the only worker has handed back what it was given before. */
        private void awaitWorker() throws InterruptedException {
            CountDownLatch behind = new CountDownLatch(1);
            pool.executeFurther(client, behind::countDown);
            behind.await();
            channel.runPendingTasks();
        }

        /** Occupies the worker, so that work waits, or frees it. */
        private void block() throws InterruptedException {
            CountDownLatch old = blocker;
            if (old != null) {
                free(old);
            } else if (!isWorking() && model.state != CLOSED) { // it may still do what a closed connection has left
                CountDownLatch next = new CountDownLatch(1);
                CountDownLatch begun = new CountDownLatch(1);
                pool.executeFurther(client, () -> {
                    begun.countDown();
                    awaitQuietly(next);
                });
                begun.await();
                blocker = next;
                model.isBusy = true;
            }
        }

        private void free(CountDownLatch old) {
            old.countDown();
            blocker = null;
            model.isBusy = false;
            model.isQueued = false;
        }

        private void check() {
            for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
                String begin = sent.toString(0, Math.min(12, sent.readableBytes()), StandardCharsets.US_ASCII);
                if (begin.startsWith("HTTP/1.1 ")) {
                    answers.add(Integer.valueOf(begin.substring(9)));
                }
                sent.release();
            }
            ConnectionState state = entered.isEmpty() ? HEAD : entered.get(entered.size() - 1);
            assertThat(state).as(this::where).isEqualTo(model.state);
            assertThat(answers).as(this::where).isEqualTo(model.answers);
            if (model.state == CLOSING) {
                assertThat(channel.isOutputShutdown()).as(this::where).isTrue();
            }
        }

        private String where() {
            return "-Dseed=" + seed + " " + log;
        }

        private void end() throws InterruptedException {
            channel.close();
            channel.runPendingTasks();
            CountDownLatch old = blocker;
            if (old != null) {
                free(old);
            }
            orders.add(new Order(1, true, false)); // for work that the connection has left
            awaitWorker();
            orders.clear();
            assertThat(shared.take(BUFFERED)).as(this::where).isTrue();
            shared.give(BUFFERED);
            channel.finishAndReleaseAll();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
