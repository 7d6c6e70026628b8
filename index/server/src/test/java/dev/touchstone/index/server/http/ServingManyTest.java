package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many clients at once: each pool has its own workers and its own bounds, and no request holds those of another pool. */
@Timeout(120)
class ServingManyTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final String EXPLAIN = "/v2/explain";
    private static final String SEARCH = "/v2/search";
    private static final String ANY = "{\"policy\":\"first\"}"; // without offering, which a worker answers

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final Map<Route, Set<String>> threads = new ConcurrentHashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final ExecutorService readers = Executors.newCachedThreadPool();

    @SuppressWarnings("NullAway.Init") // each test starts one
    private HttpServer server;

    @AfterEach
    void stop() throws IOException {
        gate.countDown();
        for (Client client : clients) {
            client.close();
        }
        readers.shutdownNow();
        server.close();
    }

    private void start(PriceIndex index, Duration deadline, Duration grace, Function<Handler, Handler> explain)
            throws IOException {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTimes(new HttpOptions.Times(LONG, LONG, Duration.ZERO, grace))
                .withWorkers(Route.Pool.SEARCH, new HttpOptions.Workers(1, 200, LONG))
                .withWorkers(Route.Pool.EXPLAIN, new HttpOptions.Workers(1, 2, deadline));
        PriceService service = new PriceService(index, Limits.DEFAULT);
        server = HttpServer.start(service, options, route -> {
            Handler handler = new HandlerFactory(service).handler(route);
            Handler used = route == Route.EXPLAIN ? explain.apply(handler) : handler;
            return (bytes, from, to, answer) -> {
                threads.computeIfAbsent(route, any -> ConcurrentHashMap.newKeySet())
                        .add(Thread.currentThread().getName());
                used.handle(bytes, from, to, answer);
            };
        });
    }

    private Handler gated(Handler handler) {
        return (bytes, from, to, answer) -> {
            begun.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            handler.handle(bytes, from, to, answer);
        };
    }

    /** Goes on until it is stopped, as an explanation of very many prices does. */
    private Handler endless(Handler handler) {
        return (bytes, from, to, answer) -> {
            begun.incrementAndGet();
            while (!answer.isStopped()) {
                LockSupport.parkNanos(100_000);
            }
            stopped.countDown();
            answer.checkStopped();
        };
    }

    private Client client() throws IOException {
        Client client = new Client(server.address());
        clients.add(client);
        return client;
    }

    private CompletableFuture<Reply> later(Client client) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return client.read();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                readers);
    }

    private void awaitBegun(int count) {
        while (begun.get() < count) {
            LockSupport.parkNanos(100_000);
        }
    }

    private static PriceIndex large() {
        List<Price> prices = IntStream.range(0, 40_000)
                .mapToObj(i -> Price.of(
                        "id-" + i, "o" + i % 4, Map.of("colour", "c" + i % 7, "term", (long) i), BigDecimal.valueOf(i)))
                .toList();
        return PriceIndex.builder().string("colour").integer("term").build(prices);
    }

    @Test
    void searches_beside100ClientsThatExplain_areAllAnsweredByTheirOwnWorkers() throws Exception {
        start(large(), LONG, Duration.ZERO, handler -> handler);
        String condition = "{\"field\":\"colour\",\"op\":\"ne\",\"value\":\"c1\"}";
        String explain = post(EXPLAIN, "{\"conditions\":[" + (condition + ",").repeat(255) + condition + "]}");
        List<CompletableFuture<Reply>> explained = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            explained.add(later(client().send(explain)));
        }
        Client asking = client();
        for (int i = 0; i < 50; i++) {
            assertThat(asking.ask(post(SEARCH, ANY)).status()).isEqualTo(200);
            assertThat(asking.ask(post(SEARCH, "{\"offering\":\"o1\",\"policy\":\"first\"}"))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(asking.ask(get("/metrics")).status()).isEqualTo(200);

        List<Integer> statuses = new ArrayList<>();
        for (CompletableFuture<Reply> each : explained) {
            statuses.add(each.get().status());
        }
        assertThat(statuses).isSubsetOf(200, 429).contains(200);
        assertThat(threads.get(Route.EXPLAIN))
                .allSatisfy(name -> assertThat(name).startsWith("price-explain"));
        assertThat(threads.get(Route.SEARCH))
                .allSatisfy(name -> assertThat(name).startsWith("price-search"));
        assertThat(threads.get(Route.METRICS))
                .allSatisfy(name -> assertThat(name).startsWith("price-management"));
    }

    @Test
    void fullQueue_isAnswered429AndOthersAreNot() throws Exception {
        start(SamplePrices.index(), LONG, LONG, this::gated);
        BlockingQueue<Reply> answers = new LinkedBlockingQueue<>();
        List<CompletableFuture<Void>> added = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            added.add(later(client().send(post(EXPLAIN, ANY))).thenAccept(answers::add));
        }
        for (int i = 0; i < 7; i++) { // one is explained, and two wait
            Reply refused = answers.take();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsEntry("retry-after", "1");
            assertThat(refused.body()).contains("route=/v2/explain waiting=2");
        }
        assertThat(client().ask(post(SEARCH, ANY)).status()).isEqualTo(200);
        assertThat(client().ask(get("/metrics")).body())
                .contains("touchstone_index_pool_refused_total{pool=\"explain\",reason=\"full\"} 7.0")
                .contains("touchstone_index_pool_waiting{pool=\"explain\"} 2.0")
                .contains("touchstone_index_pool_running{pool=\"explain\"} 1.0")
                .contains("touchstone_index_pool_waiting{pool=\"search\"} 0.0");
        gate.countDown();
        for (int i = 0; i < 3; i++) {
            assertThat(answers.take().status()).isEqualTo(200);
        }
        added.forEach(CompletableFuture::join);
    }

    @Test
    void requestBehindAFullQueue_keepsItsConnectionAndItsPlaceInTheOrder() throws Exception {
        start(SamplePrices.index(), LONG, LONG, this::gated);
        for (int i = 0; i < 3; i++) {
            client().send(post(EXPLAIN, ANY));
        }
        awaitBegun(1);
        Client asking = client();
        asking.send(get("/health") + post(EXPLAIN, ANY) + get("/ready"));
        assertThat(asking.read().body()).isEqualTo("up\n");
        asking.read(); // refused, or one of those that wait if it has overtaken another one
        gate.countDown();
        assertThat(asking.read().body()).isEqualTo("ready\n");
    }

    @Test
    void requestThatWaitsBeyondItsDeadline_isAnswered503AndNeverBegins() throws Exception {
        start(SamplePrices.index(), SHORT, LONG, this::gated);
        Client first = client().send(post(EXPLAIN, ANY));
        awaitBegun(1);
        Reply late = client().ask(post(EXPLAIN, ANY));
        assertThat(late.status()).isEqualTo(503);
        assertThat(late.headers()).containsEntry("retry-after", "1");
        assertThat(late.body()).isEqualTo("no worker was free within 150 ms\n");
        gate.countDown();
        assertThat(first.read().status()).isIn(200, 503); // stopped, if the explanation has looked
        assertThat(begun).hasValue(1);
    }

    @Test
    void requestThatTakesLongerThanItsDeadline_isStoppedAndAnswered503() throws Exception {
        start(SamplePrices.index(), SHORT, LONG, this::endless);
        Client client = client();
        int asked = 0;
        while (begun.get() < 3) {
            int before = begun.get();
            Reply late = client.ask(post(EXPLAIN, ANY));
            asked++;
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.headers()).containsEntry("retry-after", "1");
            assertThat(late.body()) // on a busy machine it may not begin in time
                    .contains(begun.get() > before ? "stopped" : "no worker was free");
        }
        assertThat(client.ask(get("/metrics")).body())
                .contains("touchstone_index_pool_refused_total{pool=\"explain\",reason=\"late\"} " + asked + ".0");
    }

    @Test
    void clientThatLeaves_hasItsRequestStopped() throws Exception {
        start(SamplePrices.index(), LONG, LONG, this::endless);
        Client leaving = client().send(post(EXPLAIN, ANY));
        awaitBegun(1);
        leaving.close();
        stopped.await();
    }

    @Test
    void handlerThatHasNoStackLeft_isAnswered500AndGivesItsPlaceBack() throws Exception {
        start(SamplePrices.index(), LONG, LONG, handler -> (bytes, from, to, answer) -> {
            throw new StackOverflowError("on purpose");
        });
        Client client = client();
        for (int i = 0; i < 5; i++) {
            assertThat(client.ask(post(EXPLAIN, ANY)).status()).isEqualTo(500);
        }
    }

    /** A class that could not be initialised, as after an OutOfMemoryError, throws such an error from then on. */
    @Test
    void handlerThatThrowsAnyError_isAnswered500AndGivesItsPlaceBack() throws Exception {
        start(SamplePrices.index(), LONG, LONG, handler -> (bytes, from, to, answer) -> {
            throw new NoClassDefFoundError("on purpose");
        });
        Client client = client();
        for (int i = 0; i < 5; i++) {
            assertThat(client.ask(post(EXPLAIN, ANY)).status()).isEqualTo(500);
        }
    }

    @Test
    void close_lettingRequestsEnd_answersThoseThatRunAndThoseThatWait() throws Exception {
        start(SamplePrices.index(), LONG, LONG, this::gated);
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(later(client().send(post(EXPLAIN, ANY))));
        }
        awaitBegun(1);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close, readers);
        gate.countDown();
        closing.get();
        for (CompletableFuture<Reply> each : answers) {
            assertThat(each.get().status()).isIn(200, 503); // 503 if it arrived after the end had begun
        }
        assertThat(begun.get()).isPositive();
    }

    @Test
    void close_withoutEnoughGrace_answersThoseThatRunAndThoseThatWait503() throws Exception {
        start(SamplePrices.index(), LONG, SHORT, this::endless);
        Client running = client().send(post(EXPLAIN, ANY));
        awaitBegun(1);
        Client waiting = client().send(post(EXPLAIN, ANY));
        Client asking = client();
        for (int i = 0; i < 2; i++) { // once they are answered, the event loop has seen what was sent before
            asking.ask(get("/health"));
        }
        server.close();
        for (Client client : List.of(running, waiting)) {
            Reply response = client.read();
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.headers()).containsEntry("retry-after", "1").containsEntry("connection", "close");
        }
        assertThat(waiting.isAtEnd()).isTrue();
    }
}
