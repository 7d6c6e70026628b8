package dev.touchstone.benchmarks.index.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load, against a server of the JDK. */
@Timeout(60)
final class LoadRunTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final AtomicLong asked = new AtomicLong();
    private final Set<String> bodies = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/plain", exchange -> answer(exchange, 200));
        server.createContext("/none", exchange -> answer(exchange, 404));
        server.createContext("/closing", exchange -> {
            exchange.getResponseHeaders().add("connection", "close");
            answer(exchange, 200);
        });
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange, int status) throws IOException {
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        asked.incrementAndGet();
        exchange.sendResponseHeaders(status, 5);
        exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
        exchange.close();
    }

    @Test
    void run_closedLoop_countsEveryAnswer() throws IOException {
        LoadResult result = run("/plain", new LoadPlan(2, 5, Duration.ZERO, SHORT, 0));

        assertThat(result.requests()).isPositive().isLessThanOrEqualTo(asked.get());
        assertThat(asked.get() - result.requests()).isLessThanOrEqualTo(5); // what was on its way at the end
        assertThat(result.failures()).isZero();
        assertThat(result.bodyBytes()).isEqualTo(5 * result.requests());
        assertThat(result.percentile(50)).isPositive().isLessThanOrEqualTo(result.most());
        assertThat(bodies).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void run_otherStatus_isCounted() throws IOException {
        LoadResult result = run("/none", new LoadPlan(1, 1, Duration.ZERO, SHORT, 0));

        assertThat(result.failures()).isPositive().isEqualTo(result.requests());
    }

    @Test
    void run_serverThatClosesEachConnection_connectsAgain() throws IOException {
        LoadResult result = run("/closing", new LoadPlan(1, 2, Duration.ZERO, SHORT, 0));

        assertThat(result.requests()).isGreaterThan(2);
        assertThat(result.failures()).isZero();
    }

    @Test
    void run_withARate_beginsNoMoreThanThat() throws IOException {
        LoadResult result = run("/plain", new LoadPlan(2, 4, Duration.ZERO, Duration.ofSeconds(1), 50));

        // however long the machine stalls: what is due then is begun then, and the last one of each thread may come
        // late
        assertThat((double) result.requests()).isLessThanOrEqualTo(50 * result.seconds() + 4);
    }

    @Test
    void run_rateBeyondTheConnections_countsTheWaitingToo() throws IOException {
        LoadResult tooFast = run("/plain", new LoadPlan(1, 1, Duration.ZERO, SHORT, 1e9));

        // the last one was due at the beginning, too
        assertThat(tooFast.most()).isGreaterThan(SHORT.toNanos() / 2);
    }

    @Test
    void run_nobodyListens_fails() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), free);
        List<ByteBuffer> requests = HttpRequests.posts(nobody, "/", List.of(new byte[1]));
        LoadPlan plan = new LoadPlan(2, 2, Duration.ZERO, SHORT, 0);

        assertThatThrownBy(() -> LoadRun.run(plan, nobody, requests)).isInstanceOf(IOException.class);
    }

    @Test
    void plan_unusable_refused() {
        assertThatThrownBy(() -> new LoadPlan(2, 1, SHORT, SHORT, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadPlan(1, 1, SHORT, Duration.ZERO, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadPlan(1, 1, SHORT, SHORT, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new LoadPlan(3, 20, SHORT, SHORT, 0).connections(0)).isEqualTo(7);
        assertThat(new LoadPlan(3, 20, SHORT, SHORT, 0).connections(2)).isEqualTo(6);
    }

    private LoadResult run(String path, LoadPlan plan) throws IOException {
        List<byte[]> sent = new ArrayList<>();
        for (String body : List.of("a", "b", "c")) {
            sent.add(body.getBytes(StandardCharsets.US_ASCII));
        }
        InetSocketAddress address = server.getAddress();
        return LoadRun.run(plan, address, HttpRequests.posts(address, path, sent));
    }
}
