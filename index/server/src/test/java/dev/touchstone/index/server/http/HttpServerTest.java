package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class HttpServerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final String ONE =
            "{\"offeringId\":\"o0\",\"groupId\":\"group0\",\"priceSpecId\":\"MRC\",\"charValues\":"
                    + "[{\"char\":\"colour\",\"value\":\"red\"},{\"char\":\"term\",\"value\":\"12\"}]}";
    private static final String V1 = "/v1/search/bitmap/prices";

    private HttpServer server = start(LONG, LONG, 100, 1 << 20);

    private static HttpServer start(Duration request, Duration idle, int connections, int buffered) {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTimes(new HttpOptions.Times(request, idle, Duration.ZERO, LONG))
                .withLimits(connections, buffered);
        Limits limits = new Limits(1000, 100_000, 1000, 16, 16);
        try {
            return HttpServer.start(new PriceService(SamplePrices.index(), limits), options);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void restart(Duration request, Duration idle, int connections, int buffered) {
        server.close();
        server = start(request, idle, connections, buffered);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Client client() throws IOException {
        return new Client(server.address());
    }

    @Test
    void search_overOneConnection_isAnsweredAgainAndAgain() throws IOException {
        try (Client client = client()) {
            for (int i = 0; i < 3; i++) {
                Reply response = client.ask(post(V1, ONE));
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).contains("\"value\":18.0");
                assertThat(response.headers())
                        .containsEntry("x-index-version", "1")
                        .containsEntry("etag", "\"1\"")
                        .containsEntry("content-type", "application/json");
            }
            assertThat(client.ask(post("/v1/search/map/prices", ONE)).body()).contains("\"value\":18.0");
            assertThat(client.ask(get("/health")).status()).isEqualTo(200);
            assertThat(client.ask(get("/ready")).status()).isEqualTo(200);
            assertThat(client.ask(get("/metrics")).body()).contains("touchstone_index_connections 1.0");
        }
    }

    @Test
    void search_overManyConnectionsAtOnce_isAnsweredOnEach() throws IOException {
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 80; i++) {
                clients.add(client());
            }
            for (int round = 0; round < 20; round++) {
                for (Client client : clients) {
                    client.send(post(V1, ONE));
                }
                for (Client client : clients) {
                    assertThat(client.read().body()).contains("\"value\":18.0");
                }
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    @Test
    void largeAnswer_withoutRoom_isRefusedAndGivesItsRoomBack() throws IOException {
        restart(LONG, LONG, 100, 8_000);
        String many = post("/v2/search", "{\"policy\":\"all\",\"limit\":1000}");
        try (Client client = client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.ask(many).status()).isEqualTo(503);
                assertThat(client.ask(post("/v4/search/bitmap/bulk/prices", "[" + ONE + "," + ONE + "]"))
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void pipelinedRequests_quickAndLong_areAnsweredInOrder() throws IOException {
        try (Client client = client()) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 60; i++) {
                all.append(
                        i % 3 == 0 ? post(V1, ONE) : i % 3 == 1 ? get("/health") : post("/v1/search/map/prices", ONE));
            }
            client.send(all.toString());
            for (int i = 0; i < 60; i++) {
                assertThat(client.read().body()).startsWith(i % 3 == 1 ? "up" : "{\"id\":\"id-36\"");
            }
        }
    }

    @Test
    void request_inPieces_isAnswered() throws IOException {
        try (Client client = client()) {
            String text = post(V1, ONE);
            for (int i = 0; i < text.length(); i += 7) {
                client.send(text.substring(i, Math.min(i + 7, text.length())));
            }
            assertThat(client.read().status()).isEqualTo(200);
            Reply chunked =
                    client.ask("POST " + V1 + " HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
                            + "10\r\n" + ONE.substring(0, 16) + "\r\n" + Integer.toHexString(ONE.length() - 16) + "\r\n"
                            + ONE.substring(16) + "\r\n0\r\n\r\n");
            assertThat(chunked.body()).contains("\"value\":18.0");
        }
    }

    /** Nothing behind such a head can be framed, or be understood: the connection ends, and the second request is none. A slash separates two headers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "501 | HTTP/1.1 | gzip, chunked",
                "501 | HTTP/1.1 | gzip,chunked",
                "501 | HTTP/1.1 | identity, chunked",
                "501 | HTTP/1.1 | chunked;q=1, chunked",
                "501 | HTTP/1.1 | gzip / chunked",
                "400 | HTTP/1.1 | chunked, gzip",
                "400 | HTTP/1.1 | gzip",
                "400 | HTTP/1.1 | identity",
                "400 | HTTP/1.1 | chunked, chunked",
                "400 | HTTP/1.1 | chunked / chunked",
                "400 | HTTP/1.1 | chunked;q=1",
                "400 | HTTP/1.1 | xchunked",
                "400 | HTTP/1.1 | ''",
                "400 | HTTP/1.0 | chunked",
                "400 | HTTP/1.0 | gzip, chunked"
            })
    void transferCoding_otherThanChunked_isRefusedAndEndsTheConnection(int status, String version, String coding)
            throws IOException {
        String head = "POST " + V1 + " " + version + "\r\nhost: localhost\r\nconnection: keep-alive\r\n"
                + "transfer-encoding: " + coding.replace(" / ", "\r\ntransfer-encoding: ") + "\r\n";
        String body = "\r\n" + Integer.toHexString(ONE.length()) + "\r\n" + ONE + "\r\n0\r\n\r\n";
        for (String asked : new String[] {"", "expect: 100-continue\r\n"}) {
            try (Client client = client()) {
                client.send(head + asked + body + get("/health"));
                Reply response = client.read();
                assertThat(response.status()).as(asked).isEqualTo(status);
                assertThat(response.headers()).containsEntry("connection", "close");
                assertThat(client.isAtEnd()).isTrue();
            }
        }
    }

    @Test
    void transferCoding_chunkedInAnyCase_isRead() throws IOException {
        try (Client client = client()) {
            Reply response =
                    client.ask("POST " + V1 + " HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding:  Chunked \r\n\r\n"
                            + Integer.toHexString(ONE.length()) + "\r\n" + ONE + "\r\n0\r\n\r\n");
            assertThat(response.status()).isEqualTo(200);
        }
    }

    @Test
    void bulkOfLines_goesOutInChunks() throws IOException {
        try (Client client = client()) {
            Reply response = client.ask(post("/v5/search/bitmap/bulk/prices", (ONE + "\n").repeat(400)));
            assertThat(response.headers()).containsEntry("transfer-encoding", "chunked");
            assertThat(response.body().lines().count()).isEqualTo(400);
            Reply old = client.ask(post("/v5/search/bitmap/bulk/prices", ONE).replace("HTTP/1.1", "HTTP/1.0"));
            assertThat(old.headers()).containsEntry("connection", "close").containsKey("content-length");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void connection_isKeptAsTheRequestSays() throws IOException {
        try (Client client = client()) {
            String old = post(V1, ONE).replace("HTTP/1.1", "HTTP/1.0");
            assertThat(client.ask(old.replace("host: localhost", "connection: keep-alive"))
                            .headers())
                    .containsEntry("connection", "keep-alive");
            assertThat(client.ask(post(V1, ONE).replace("host: localhost", "host: localhost\r\nconnection: close"))
                            .headers())
                    .containsEntry("connection", "close");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void versionsOfHttp_otherThanTheFirst_areRefused() throws IOException {
        for (String version : new String[] {"HTTP/2.0", "HTTP/0.9", "HTTP/3.1"}) {
            try (Client client = client()) {
                assertThat(client.ask("PRI * " + version + "\r\n\r\n").status()).isEqualTo(505);
                assertThat(client.isAtEnd()).isTrue();
            }
        }
        try (Client client = client()) { // a later version of the first is asked to do what HTTP/1.1 does
            assertThat(client.ask("GET /health HTTP/1.2\r\n\r\n").body()).contains("name=host");
            assertThat(client.ask(get("/health").replace("HTTP/1.1", "HTTP/1.2"))
                            .headers())
                    .doesNotContainKey("connection");
        }
    }

    @Test
    void targetWithASchemeInUpperCase_isTheSame() throws IOException {
        try (Client client = client()) {
            String request = get("HTTP://LOCALHOST/health");
            assertThat(client.ask(request).status()).isEqualTo(200);
            assertThat(client.ask(request.replace("LOCALHOST", "elsewhere")).status())
                    .isEqualTo(421);
        }
    }

    @Test
    void head_hasNoBody() throws IOException {
        try (Client client = client()) {
            client.send(get("/health").replace("GET", "HEAD")
                    + "GET /ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            StringBuilder all = new StringBuilder();
            client.readAll(all);
            assertThat(all.toString())
                    .contains("content-length: 3")
                    .doesNotContain("up\n")
                    .endsWith("ready\n");
        }
    }

    @Test
    void refusals_haveTheirStatusAndKeepTheConnection() throws IOException {
        try (Client client = client()) {
            assertThat(client.ask(post("/nope", ONE)).status()).isEqualTo(404);
            Reply method = client.ask(post("/health", ONE));
            assertThat(method.status()).isEqualTo(405);
            assertThat(method.headers()).containsEntry("allow", "GET, HEAD");
            assertThat(client.ask(post("/v2/prices", "{}").replace("application/json", "text/plain"))
                            .status())
                    .isEqualTo(415);
            assertThat(client.ask(post(V1, ONE).replace("host: localhost", "host: localhost\r\ncontent-encoding: gzip"))
                            .status())
                    .isEqualTo(415);
            assertThat(client.ask(post(V1, ONE).replace("host: localhost", "a: b"))
                            .status())
                    .isEqualTo(400);
            assertThat(client.ask(post(V1, ONE).replace("host: localhost", "host: localhost\r\nexpect: cake"))
                            .status())
                    .isEqualTo(417);
            assertThat(client.ask(post(V1 + "?x=1", ONE)).status()).isEqualTo(200);
        }
    }

    @Test
    void tooLarge_isToldAndEndsTheConnection() throws IOException {
        try (Client client = client()) {
            assertThat(client.ask("POST " + V1 + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\n")
                            .status())
                    .isEqualTo(413);
            assertThat(client.isAtEnd()).isTrue();
        }
        try (Client client = client()) {
            client.send("POST " + V1 + " HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n"
                    + "x".repeat(1001));
            assertThat(client.read().status()).isEqualTo(413);
        }
        try (Client client = client()) {
            assertThat(client.ask("GET /" + "x".repeat(9000) + " HTTP/1.1\r\nhost: localhost\r\n\r\n")
                            .status())
                    .isEqualTo(414);
        }
        try (Client client = client()) {
            assertThat(client.ask("GET / HTTP/1.1\r\nhost: localhost\r\na: " + "x".repeat(20_000) + "\r\n\r\n")
                            .status())
                    .isEqualTo(431);
        }
        try (Client client = client()) {
            assertThat(client.ask("what is this\r\n\r\n").status()).isEqualTo(400);
        }
    }

    @Test
    void continue_isSaidBeforeTheBodyComes() throws IOException {
        try (Client client = client()) {
            String text = post(V1, ONE).replace("host: localhost", "host: localhost\r\nexpect: 100-continue");
            int head = text.indexOf("\r\n\r\n") + 4;
            assertThat(client.ask(text.substring(0, head)).status()).isEqualTo(100);
            assertThat(client.ask(text.substring(head)).status()).isEqualTo(200);
        }
    }

    @Test
    void slowClients_areEnded() throws IOException {
        restart(SHORT, LONG, 100, 1 << 20);
        try (Client body = client();
                Client head = client()) {
            body.send(post(V1, ONE).substring(0, 120));
            head.send("POST " + V1 + " HTTP/1.1\r\nho");
            assertThat(body.read().status()).isEqualTo(408);
            assertThat(body.isAtEnd()).isTrue();
            assertThat(head.read().status()).isEqualTo(408);
        }
        restart(LONG, SHORT, 100, 1 << 20);
        try (Client idle = client()) {
            assertThat(idle.ask(get("/health")).status()).isEqualTo(200);
            assertThat(idle.isAtEnd()).isTrue();
        }
    }

    @Test
    void floods_areToldToWait() throws IOException {
        restart(LONG, LONG, 1, 20_000);
        try (Client first = client()) {
            String body = ONE + " ".repeat(100);
            String asked = post(V1, body).replace("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n");
            first.send(asked.substring(0, asked.length() - 100));
            assertThat(first.readHead()).isEqualTo("HTTP/1.1 100 Continue");
            assertThat(first.readHead()).isEmpty();
            assertThat(first.ask(" ".repeat(100)).status()).isEqualTo(200);
            Reply large = first.ask(post("/v4/search/bitmap/bulk/prices", "[" + " ".repeat(60_000) + "]"));
            assertThat(large.status()).isEqualTo(503);
            assertThat(large.headers()).containsKey("retry-after");
        }
    }

    /** Whoever says nothing keeps no others away: of those that wait, those that never had a request go first, then the longest. */
    @Test
    void silentClients_giveWayToOthers() throws IOException {
        restart(LONG, LONG, 3, 1 << 20);
        try (Client known = client();
                Client silent = client();
                Client half = client()) {
            assertThat(known.ask(get("/health")).status()).isEqualTo(200);
            half.send("GET /he");
            try (Client next = client()) {
                assertThat(next.ask(get("/health")).status()).isEqualTo(200);
                assertThat(silent.isAtEnd()).isTrue();
                try (Client last = client()) {
                    assertThat(last.ask(get("/health")).status()).isEqualTo(200);
                    assertThat(half.isAtEnd()).isTrue();
                    try (Client further = client()) {
                        assertThat(further.ask(get("/health")).status()).isEqualTo(200);
                        assertThat(known.isAtEnd()).isTrue();
                        assertThat(next.ask(get("/health")).status()).isEqualTo(200);
                        assertThat(last.ask(get("/health")).status()).isEqualTo(200);
                    }
                }
            }
        }
    }

    @Test
    void update_isSeenByTheNextSearch() throws IOException {
        try (Client client = client();
                Client other = client()) {
            Reply update = client.ask(post("/v2/prices", "{\"put\":[{\"id\":\"a\",\"offering\":\"n\",\"value\":4}]}"));
            assertThat(update.headers()).containsEntry("x-index-version", "2");
            assertThat(other.ask(post(V1, "{\"offeringId\":\"n\"}")).body()).contains("\"value\":4,");
        }
    }

    @Test
    void close_withRequestsInFlight_answersThem() throws IOException {
        try (Client client = client()) {
            String text = post(V1, ONE);
            client.ask(get("/health"));
            client.send(text.substring(0, text.length() - 10) + "");
            // the connection has read the first part when it has answered another one's request
            try (Client other = client()) {
                other.ask(get("/health"));
            }
            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
            assertThat(closing).isNotDone();
            Reply response = client.ask(text.substring(text.length() - 10));
            assertThat(response.status()).isEqualTo(200);
            assertThat(client.isAtEnd()).isTrue();
            closing.join();
        }
    }
}
