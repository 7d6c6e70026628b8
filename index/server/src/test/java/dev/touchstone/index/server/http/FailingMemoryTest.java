package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An event loop that has no memory for what a worker has made. */
@Timeout(60)
class FailingMemoryTest {
    private static final int BUFFERED = 1 << 20;
    private static final Logger FAILURES = Logger.getLogger(Connection.class.getName());

    private final Shared shared = new Shared(
            new PriceService(PriceIndex.builder().build(List.of()), Limits.DEFAULT),
            HttpOptions.DEFAULT.withLimits(10, BUFFERED),
            route -> new Parts());
    private int granted; // number of buffers that can still be made

    /** A handler of three parts. */
    private static final class Parts implements PartHandler {
        private int made;

        @Override
        public void handle(byte[] bytes, int from, int to, Response answer) {
            answer.put(new byte[100_000]);
        }

        @Override
        public boolean begin(byte[] bytes, int from, int to, Response answer) {
            answer.put(new byte[100_000]); // two pieces
            return ++made < 3;
        }

        @Override
        public boolean next(Response answer) {
            answer.truncate(0);
            return begin(new byte[0], 0, 0, answer);
        }
    }

    /** An allocator that makes as many direct buffers as it is granted. */
    private final class FailingAllocator extends AbstractByteBufAllocator {
        FailingAllocator() {
            super(true);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (granted-- <= 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @BeforeEach
    void hide() {
        FAILURES.setLevel(Level.OFF); // the failures are on purpose
    }

    @AfterEach
    void stop() {
        FAILURES.setLevel(null);
        shared.stopWorkers();
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/search/all, 0",
        "/v2/search/all, 1",
        "/v2/search/all, 2",
        "/v2/search/all, 3",
        "/v2/search/all, 5",
        "/v2/explain, 0",
        "/v2/explain, 1",
    })
    void answer_withoutMemory_endsTheConnectionAndGivesItsRoomBack(String path, int buffers) throws Exception {
        granted = buffers;
        RequestDecoder decoder = new RequestDecoder(shared);
        Connection connection = new Connection(shared, new Loop(new HandlerFactory(shared.service), shared), decoder);
        EmbeddedChannel channel = new EmbeddedChannel(false, false);
        channel.config().setAllocator(new FailingAllocator());
        channel.pipeline().addLast(connection);
        channel.register();
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path);
        request.headers().set(HttpHeaderNames.HOST, "localhost").set(HttpHeaderNames.CONTENT_LENGTH, 0);
        channel.writeInbound(request);
        while (channel.isOpen()) {
            awaitWorkers();
            channel.runPendingTasks();
        }
        assertThat(granted).as("memory that was asked for in vain").isNegative();
        assertThat(shared.take(BUFFERED)).isTrue();
        channel.finishAndReleaseAll();
    }

    /** Waits until the workers have handed back what they were given before. */
    private void awaitWorkers() throws InterruptedException {
        Object client = shared.access.client(null, null); // that of the channel, whose tasks begin in order
        for (Route route : List.of(Route.SEARCH_ALL, Route.EXPLAIN)) {
            int threads = Objects.requireNonNull(HttpOptions.DEFAULT.workers().get(route.pool()))
                    .threads();
            CountDownLatch all = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                shared.pool(route).executeFurther(client, () -> {
                    all.countDown();
                    awaitQuietly(all);
                });
            }
            all.await();
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
