package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.ConnectionState.BODY;
import static dev.touchstone.index.server.http.ConnectionState.CLOSED;
import static dev.touchstone.index.server.http.ConnectionState.CLOSING;
import static dev.touchstone.index.server.http.ConnectionState.DISCARDING;
import static dev.touchstone.index.server.http.ConnectionState.HANDLING;
import static dev.touchstone.index.server.http.ConnectionState.HEAD;
import static dev.touchstone.index.server.http.ConnectionState.MAKING;
import static dev.touchstone.index.server.http.ConnectionState.PAUSED;
import static dev.touchstone.index.server.http.ConnectionState.SENDING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random walks through the states of a connection. A model predicts the states that a client's requests lead through, and the answers; the connection
 * logs the states that it enters. At the end, each transition of the table was seen.
 */
@Timeout(300)
class ConnectionStateTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int WALKS = 150;
    private static final int LARGE = 100_000; // more than is written at once
    private static final int HUGE = 16_000_000; // more than the sockets hold
    private static final int LIMIT = 2000; // of a body
    private static final int KINDS = 7; // of requests
    private static final int ENDS = 12;
    private static final Logger TRACE = Logger.getLogger(Connection.class.getName());

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final BlockingQueue<List<ConnectionState>> ended = new LinkedBlockingQueue<>();
    private final BlockingQueue<ConnectionState> entered = new LinkedBlockingQueue<>();
    private final Set<List<ConnectionState>> seen = new HashSet<>();
    private final java.util.logging.Handler watch = new java.util.logging.Handler() {
        private final List<ConnectionState> path = new ArrayList<>(List.of(HEAD));

        @Override
        public synchronized void publish(LogRecord line) {
            if (line.getParameters() == null || line.getParameters().length != 3) {
                return;
            }
            ConnectionState next = (ConnectionState) line.getParameters()[2];
            path.add(next);
            entered.add(next);
            if (next == CLOSED) {
                ended.add(List.copyOf(path));
                path.clear();
                path.add(HEAD);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @SuppressWarnings("NullAway.Init") // each test starts one
    private HttpServer server;

    @BeforeEach
    void watch() {
        TRACE.setLevel(Level.ALL);
        TRACE.setUseParentHandlers(false);
        TRACE.addHandler(watch);
    }

    @AfterEach
    void stop() {
        server.close();
        TRACE.removeHandler(watch);
        TRACE.setUseParentHandlers(true);
        TRACE.setLevel(null);
    }

    /** Answers with as many bytes as the body says, in as many parts; a body of 0 has it go on until it is stopped. */
    private static final class Scripted implements PartHandler {
        private int bytes;
        private int left;

        private void read(byte[] body, int from, int to) {
            String[] words = new String(body, from, to - from, StandardCharsets.UTF_8)
                    .strip()
                    .split(" ", -1);
            bytes = Integer.parseInt(words[0]);
            left = Integer.parseInt(words[1]);
        }

        private void make(Response answer) {
            while (bytes == 0) {
                answer.checkStopped();
                LockSupport.parkNanos(100_000);
            }
            answer.pack(new byte[bytes]);
        }

        @Override
        public void handle(byte[] body, int from, int to, Response answer) {
            read(body, from, to);
            make(answer);
        }

        @Override
        public boolean begin(byte[] body, int from, int to, Response answer) {
            read(body, from, to);
            answer.pack(new byte[Math.max(1, bytes)]);
            return --left > 0;
        }

        @Override
        public boolean next(Response answer) {
            if (left == 9) {
                throw new IllegalStateException("on purpose");
            }
            make(answer);
            return --left > 0;
        }
    }

    private void start(Duration request, Duration idle, Duration deadline, Duration grace) throws IOException {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withLimits(100, 100 << 20)
                .withTimes(new HttpOptions.Times(request, idle, Duration.ZERO, grace))
                .withWorkers(Route.Pool.EXPLAIN, new HttpOptions.Workers(1, 2, deadline));
        PriceIndex index = PriceIndex.builder()
                .string("size")
                .build(List.of(
                        new Price("s", "o", Map.of("size", "s"), BigDecimal.ONE, "EUR", false, "-"),
                        new Price("l", "o", Map.of("size", "l"), BigDecimal.ONE, "EUR", false, "-".repeat(LARGE))));
        Limits limits = new Limits(LIMIT, LIMIT, 100, 16, 16);
        server = HttpServer.start(new PriceService(index, limits), options, route -> {
            Handler scripted = new Scripted();
            return scripted;
        });
    }

    // ---- the model

    /** What a client sends, the states that this leads through behind HEAD, and the status; 0 if there is no whole answer. */
    private record Step(String sent, int status, List<ConnectionState> path) {
        boolean isLast() {
            return path.get(path.size() - 1) != HEAD;
        }
    }

    private static String post(String path, String body, boolean isKept) {
        return "POST " + path + " HTTP/1.1\r\nhost: localhost\r\n" + (isKept ? "" : "connection: close\r\n")
                + "content-length: " + body.length() + "\r\n\r\n" + body;
    }

    private static List<ConnectionState> path(boolean isKept, ConnectionState... states) {
        List<ConnectionState> path = new ArrayList<>(Arrays.asList(states));
        path.addAll(isKept ? List.of(HEAD) : List.of(CLOSING, CLOSED));
        return path;
    }

    private static String search(String size) {
        return "{\"offering\":\"o\",\"conditions\":[{\"field\":\"size\",\"op\":\"eq\",\"value\":\"" + size + "\"}]}";
    }

    private Step request(boolean isKept, int kind) {
        String explain = Route.EXPLAIN.path();
        String lines = Route.V5_BITMAP_BULK.path();
        int parts = 2 + random.nextInt(4);
        switch (kind) {
            case 0 -> {
                return new Step(post("/v2/search", search("s"), isKept), 200, path(isKept, BODY));
            }
            case 1 -> {
                return new Step(post("/v2/search", search("l"), isKept), 200, path(isKept, BODY, SENDING));
            }
            case 2 -> {
                return new Step(
                        post("/nowhere", "a".repeat(random.nextInt(LIMIT)), isKept), 404, path(isKept, DISCARDING));
            }
            case 3 -> {
                return new Step(post(explain, "10 1", isKept), 200, path(isKept, BODY, HANDLING));
            }
            case 4 -> {
                return new Step(post(explain, LARGE + " 1", isKept), 200, path(isKept, BODY, HANDLING, SENDING));
            }
            case 5 -> {
                return new Step(post("/v2/search", "\"", isKept), 400, path(isKept, BODY));
            }
            default -> {
                List<ConnectionState> states = new ArrayList<>(List.of(BODY, HANDLING));
                for (int i = 1; i < parts; i++) {
                    states.addAll(List.of(PAUSED, MAKING));
                }
                int bytes = random.nextBoolean() ? 10 : LARGE;
                if (parts > 1 || bytes == LARGE) {
                    states.add(PAUSED);
                }
                String body = bytes + " " + parts;
                return new Step(post(lines, body, isKept), 200, path(isKept, states.toArray(ConnectionState[]::new)));
            }
        }
    }

    /** A step behind which the connection ends. */
    private Step end(int kind) {
        String head = "POST /v2/search HTTP/1.1\r\nhost: localhost\r\n";
        String lines = Route.V5_BITMAP_BULK.path();
        return switch (kind) {
            case 0 -> new Step(head + "content-length: 2001\r\n\r\n", 413, List.of(CLOSING, CLOSED));
            case 1 -> new Step("no request\r\n\r\n", 400, List.of(CLOSING, CLOSED));
            case 2 -> new Step(head + "content-length: 9\r\n\r\n{", 0, List.of(BODY, CLOSED));
            case 3 ->
                new Step(
                        head + "transfer-encoding: chunked\r\n\r\n7d1\r\n" + "a".repeat(LIMIT + 1),
                        413,
                        List.of(BODY, CLOSING, CLOSED));
            case 4 ->
                new Step(
                        head.replace("search", "nothing") + "content-length: 9\r\n\r\n{",
                        0,
                        List.of(DISCARDING, CLOSED));
            case 5 -> new Step(post(Route.EXPLAIN.path(), "0 1", true), 0, List.of(BODY, HANDLING, CLOSED));
            case 6 -> new Step(post(lines, "0 2", true), 0, List.of(BODY, HANDLING, PAUSED, MAKING, CLOSED));
            case 7 -> new Step(post(lines, "10 10", true), 0, List.of(BODY, HANDLING, PAUSED, MAKING, PAUSED, CLOSED));
            case 8 ->
                new Step(
                        post(Route.V4_BITMAP_BULK.path(), HUGE + " 1", true),
                        0,
                        List.of(BODY, HANDLING, SENDING, CLOSED));
            case 9 -> new Step(post(lines, HUGE + " 2", true), 0, List.of(BODY, HANDLING, PAUSED, CLOSED));
            case 10 -> new Step("", 0, List.of(CLOSED));
            default -> request(false, random.nextInt(KINDS));
        };
    }

    // ---- the walks

    @Test
    void randomRequestsAndEnds_leadThroughTheStatesOfTheModel() throws Exception {
        start(LONG, LONG, LONG, LONG);
        for (int walk = 0; walk < WALKS; walk++) {
            List<Step> steps = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                steps.add(request(true, random.nextInt(KINDS)));
            }
            steps.add(walk < KINDS ? request(false, walk) : end(walk % ENDS));
            walk(steps);
        }
        expire();
        drain();
        Set<List<ConnectionState>> table = new HashSet<>();
        for (ConnectionState from : ConnectionState.values()) {
            from.next().forEach(to -> table.add(List.of(from, to)));
        }
        assertThat(seen).as("-Dseed=%d", seed).isEqualTo(table);
    }

    private void walk(List<Step> steps) throws Exception {
        entered.clear();
        List<ConnectionState> expected = new ArrayList<>(List.of(HEAD));
        try (Client client = new Client(server.address())) {
            Deque<Step> unread = new ArrayDeque<>();
            for (Step step : steps) {
                expected.addAll(step.path());
                if (step.isLast()) {
                    read(client, unread, steps);
                }
                send(client, step.sent());
                unread.add(step);
                if (random.nextInt(3) == 0 || step.isLast()) {
                    read(client, unread, steps);
                }
            }
            Step last = steps.get(steps.size() - 1);
            if (last.status() == 0) { // leaves when the connection is in the last state
                long open = expected.size() - 2L;
                for (long i = 0; i < open; i++) {
                    entered.take();
                }
                if (last.path().contains(PAUSED) && last.sent().endsWith(" 10")) {
                    client.readAll(new StringBuilder());
                }
            } else {
                assertThat(client.isAtEnd()).as("-Dseed=%d %s", seed, steps).isTrue();
            }
        }
        ended(expected, steps.toString());
    }

    private void ended(List<ConnectionState> expected, String what) throws InterruptedException {
        List<ConnectionState> path = ended.poll(60, TimeUnit.SECONDS);
        assertThat(path).as("-Dseed=%d %s", seed, what).isEqualTo(expected);
        for (int i = 1; i < expected.size(); i++) {
            seen.add(expected.subList(i - 1, i + 1));
        }
    }

    private void send(Client client, String text) throws IOException {
        int at = 0;
        boolean isWhole = random.nextBoolean();
        while (at < text.length()) {
            int end = isWhole ? text.length() : Math.min(text.length(), at + 1 + random.nextInt(200));
            client.send(text.substring(at, end));
            at = end;
        }
    }

    private void read(Client client, Deque<Step> unread, List<Step> steps) throws IOException {
        for (Step step = unread.poll(); step != null; step = unread.poll()) {
            if (step.status() != 0) {
                Reply response = client.read();
                assertThat(response.status()).as("-Dseed=%d %s", seed, steps).isEqualTo(step.status());
            }
        }
    }

    /** Ends that come from timeouts. */
    private void expire() throws Exception {
        server.close();
        start(SHORT, LONG, SHORT, LONG);
        String head = "POST /v2/search HTTP/1.1\r\nhost: localhost\r\n";
        expire(head, 408, CLOSING, CLOSED);
        expire(head + "content-length: 9\r\n\r\n{", 408, BODY, CLOSING, CLOSED);
        expire(head.replace("search", "nothing") + "content-length: 9\r\n\r\n{", 408, DISCARDING, CLOSING, CLOSED);
        expire(post(Route.EXPLAIN.path(), "0 1", false), 503, BODY, HANDLING, CLOSING, CLOSED);
        expire(post(Route.V4_BITMAP_BULK.path(), HUGE + " 1", true), 0, BODY, HANDLING, SENDING, CLOSED);
        server.close();
        start(LONG, SHORT, LONG, LONG);
        expire("", 0, CLOSED);
    }

    private void expire(String sent, int status, ConnectionState... states) throws Exception {
        List<ConnectionState> expected = new ArrayList<>(List.of(HEAD));
        expected.addAll(List.of(states));
        try (Client client = new Client(server.address()).send(sent)) {
            if (status != 0) {
                assertThat(client.read().status()).isEqualTo(status);
            } else {
                ended(expected, sent);
                return;
            }
        }
        ended(expected, sent);
    }

    /** Ends that come from the end of the server. */
    private void drain() throws Exception {
        server.close();
        start(LONG, LONG, LONG, SHORT);
        try (Client client = new Client(server.address())) {
            assertThat(client.ask(Client.get("/health")).status()).isEqualTo(200);
            server.close();
            assertThat(client.isAtEnd()).isTrue();
        }
        ended(List.of(HEAD, BODY, HEAD, CLOSING, CLOSED), "idle");
        start(LONG, LONG, LONG, SHORT);
        entered.clear();
        try (Client client = new Client(server.address()).send(post(Route.EXPLAIN.path(), "0 1", true))) {
            while (entered.take() != HANDLING) {
                Thread.onSpinWait();
            }
            server.close();
            Reply response = client.read();
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.headers()).containsEntry("connection", "close");
        }
        ended(List.of(HEAD, BODY, HANDLING, CLOSING, CLOSED), "stopped");
    }
}
