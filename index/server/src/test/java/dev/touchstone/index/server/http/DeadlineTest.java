package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests whose deadline passes while their handlers work, or while a part of their answer waits: each ends, and the client can tell. So does a part that fails. */
@Timeout(120)
class DeadlineTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String ALL = post("/v2/search/all", "{}");
    private static final String END = "0\r\n\r\n"; // the last chunk

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init") // each test starts one
    private HttpServer server;

    @AfterEach
    void stop() {
        gate.countDown();
        server.close();
    }

    private void start(Duration deadline, Function<Handler, Handler> wrapper) throws IOException {
        PriceIndex index = PriceIndex.builder()
                .integer("term")
                .build(IntStream.range(0, 2_000) // several parts
                        .mapToObj(
                                i -> Price.of("id-" + i, "o" + i % 3, Map.of("term", (long) i), BigDecimal.valueOf(i)))
                        .toList());
        HttpOptions.Workers one = new HttpOptions.Workers(1, 20, deadline);
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTimes(new HttpOptions.Times(LONG, LONG, Duration.ZERO, Duration.ZERO))
                .withWorkers(Route.Pool.SEARCH, one)
                .withWorkers(Route.Pool.EXPLAIN, one);
        PriceService service = new PriceService(index, Limits.DEFAULT);
        server = HttpServer.start(service, options, route -> {
            Handler handler = new HandlerFactory(service).handler(route);
            return route.pool() == Route.Pool.MANAGEMENT ? handler : wrapper.apply(handler);
        });
    }

    /** A handler that does something before the answer and before each further part. */
    private record Prepared(Handler handler, Consumer<Response> first, Consumer<Response> further)
            implements PartHandler {
        @Override
        public void handle(byte[] bytes, int from, int to, Response answer) {
            first.accept(answer);
            handler.handle(bytes, from, to, answer);
        }

        @Override
        public boolean begin(byte[] bytes, int from, int to, Response answer) {
            first.accept(answer);
            if (handler instanceof PartHandler parts) {
                return parts.begin(bytes, from, to, answer);
            }
            handler.handle(bytes, from, to, answer);
            return false;
        }

        @Override
        public boolean next(Response answer) {
            further.accept(answer);
            return ((PartHandler) handler).next(answer);
        }
    }

    private static void nothing(Response answer) {}

    private static void awaitDeadline(Response answer) {
        while (!answer.isStopped()) {
            LockSupport.parkNanos(100_000);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Client client() throws IOException {
        return new Client(server.address());
    }

    private static String metrics(Client client) throws IOException {
        return client.ask(get("/metrics")).body();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v2/count|{}|search",
                "/v2/count|{'facets':[{'field':'term'}]}|search",
                "/v2/count|{'conditions':[{'anyOf':[{}]}]}|search",
                "/v2/search|{'policy':'first'}|search",
                "/v2/search|{'policy':'all','conditions':[{'anyOf':[{}]}]}|search",
                "/v2/search/bulk|[{'policy':'first'}]|search",
                "/v2/search/page|{}|search",
                "/v2/search/page|{'policy':'specific','sort':{'field':'term'}}|search",
                "/v2/search/all|{}|search",
                "/v5/search/bitmap/bulk/prices|{'id':1}|search",
                "/v2/explain|{}|explain",
                "/v2/explain/bulk|[{}]|explain",
            })
    void requestBeyondItsDeadline_isAnswered503(String path, String body, String pool) throws IOException {
        start(
                Duration.ofMillis(50),
                handler -> new Prepared(handler, DeadlineTest::awaitDeadline, DeadlineTest::nothing));
        try (Client client = client()) {
            String request = post(path, body.replace('\'', '"'));
            int count = 1;
            Reply late = client.ask(request);
            while (late.body().startsWith("no worker was free")) { // on a busy machine it has not begun in time
                late = client.ask(request);
                count++;
            }
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.headers()).containsEntry("retry-after", "1");
            assertThat(late.body()).contains("stopped");
            assertThat(metrics(client))
                    .contains("touchstone_index_pool_refused_total{pool=\"" + pool + "\",reason=\"late\"} " + count
                            + ".0");
        }
    }

    @Test
    void partBeyondItsDeadline_endsTheConnectionWithoutTheLastChunk() throws IOException {
        start(
                Duration.ofMillis(300),
                handler -> new Prepared(handler, DeadlineTest::nothing, DeadlineTest::awaitDeadline));
        int late = 0;
        for (String request : List.of(ALL, post("/v5/search/bitmap/bulk/prices", "{\"id\":1}\n".repeat(9_000)))) {
            String answer = "";
            while (!answer.startsWith("HTTP/1.1 200")) { // the first part may be late too
                answer = toTheEnd(request);
                late++;
            }
            assertThat(answer).doesNotContain(END);
        }
        try (Client client = client()) {
            assertThat(metrics(client))
                    .contains("touchstone_index_pool_refused_total{pool=\"search\",reason=\"late\"} " + late + ".0")
                    .contains("touchstone_index_pool_waiting{pool=\"search\"} 0.0");
        }
    }

    /** Returns all that the server sends before it closes the connection, which it does behind a refusal too. */
    private String toTheEnd(String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Client client = client()) {
            client.send(request.replace("host: localhost\r\n", "host: localhost\r\nconnection: close\r\n"))
                    .readAll(answer);
        }
        return answer.toString();
    }

    @Test
    void partThatWaitsBeyondItsDeadline_endsTheConnectionThoughNoWorkerIsFree() throws Exception {
        CountDownLatch bothAreThere = new CountDownLatch(1);
        start(
                Duration.ofSeconds(2),
                handler -> new Prepared(
                        handler,
                        answer -> {
                            if (begun.getCount() > 0) {
                                begun.countDown();
                                await(bothAreThere);
                            } else {
                                await(gate);
                            }
                        },
                        DeadlineTest::nothing));
        try (Client reader = client();
                Client other = client();
                Client asking = client()) {
            reader.send(ALL);
            begun.await();
            other.send(post("/v2/count", "{}")); // waits for the worker, and then keeps it
            while (!metrics(asking).contains("touchstone_index_pool_waiting{pool=\"search\"} 1.0")) {
                LockSupport.parkNanos(100_000);
            }
            bothAreThere.countDown();
            StringBuilder answer = new StringBuilder();
            reader.readAll(answer);
            assertThat(answer).startsWith("HTTP/1.1 200").doesNotContain(END);
            assertThat(metrics(asking)).contains("touchstone_index_pool_running{pool=\"search\"} 1.0");
            gate.countDown();
            assertThat(other.read().status()).isIn(200, 503);
        }
    }

    @Test
    void partThatHasNoStackLeft_endsTheConnection() throws IOException {
        start(
                LONG,
                handler -> new Prepared(handler, DeadlineTest::nothing, answer -> {
                    throw new StackOverflowError("on purpose");
                }));
        for (int i = 0; i < 3; i++) {
            assertThat(toTheEnd(ALL)).startsWith("HTTP/1.1 200").doesNotContain(END);
        }
    }

    @Test
    void partsWithinTheirDeadlines_areAllSent() throws IOException {
        start(LONG, handler -> new Prepared(handler, DeadlineTest::nothing, DeadlineTest::nothing));
        try (Client client = client()) {
            assertThat(client.ask(ALL).body().lines()).hasSize(2_000);
            assertThat(client.ask(get("/health")).status()).isEqualTo(200);
        }
    }
}
