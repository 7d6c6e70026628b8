package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class WebServerTest {
    private final FakeBuilds builds = new FakeBuilds();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private WebServer server;
    private Access access;

    @TempDir
    private Path folder;

    private Path tokens() {
        return folder.resolve("tokens");
    }

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    @BeforeEach
    void start() throws IOException {
        TokenTable.EMPTY
                .with("alice", Set.of(Role.SUBMIT), token("alice"))
                .with("bob", Set.of(Role.SUBMIT), token("bob"))
                .with("reader", Set.of(Role.READ), token("reader"))
                .with("agent", Set.of(Role.AGENT), token("agent"))
                .save(tokens());
        access = Access.of(token("all"), tokens());
        server = WebServer.start(builds, access, 0);
        builds.append("job-1", "one\ntwo\n");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpRequest.Builder request(String path) {
        return request(path, "all");
    }

    private HttpRequest.Builder request(String path, String name) {
        return anonymous(path).header("Authorization", "Bearer " + token(name).text());
    }

    private HttpRequest.Builder anonymous(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private int status(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest.Builder post(HttpRequest.Builder request, String body) {
        return request.POST(HttpRequest.BodyPublishers.ofString(body)).header("X-Touchstone", "test");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "/, 200, text/html",
        "/app.js, 200, text/javascript",
        "/app.css, 200, text/css",
        "/icon.svg, 200, image/svg+xml",
        "/api/v1/jobs, 200, application/json",
        "/api/v1/agents, 200, application/json",
        "/api/v1/jobs/job-1, 200, application/json",
        "/api/v1/jobs/job-1/log, 200, application/octet-stream",
        "/api/v1/jobs/job-1/raw, 200, text/plain",
        "/api/v1/openapi.json, 200, application/json",
        "/api/v1/jobs/job-2, 404, application/problem+json",
        "/api/v1/jobs/..%2f..%2fetc, 404, application/problem+json",
        "/api/v1/jobs/job-1/, 404, application/problem+json",
        "/app.java, 404, application/problem+json",
        "/api/v1/jobs/job-1/cancel, 405, application/problem+json",
        "/api/v1/jobs/job-1/log?offset=-1, 400, application/problem+json",
        "/api/v1/jobs/job-1/log?offset=99999999999999999999, 400, application/problem+json",
    })
    void get_eachPath_answersWithItsType(String path, int status, String type) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith(type);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
    }

    @Test
    void log_fromAnOffset_isTheBytesFromThere() throws Exception {
        HttpResponse<String> answer = get("/api/v1/jobs/job-1/log?offset=4&length=3");
        assertThat(answer.body()).isEqualTo("two");
        assertThat(answer.headers().firstValue("X-Log-Bytes")).contains("8");
        assertThat(answer.headers().firstValue("X-Job-Over")).contains("false");
        assertThat(get("/api/v1/jobs/job-1/log?offset=8").body()).isEmpty();
        assertThat(get("/api/v1/jobs/job-1/log?offset=999999999999").body()).isEmpty();
        assertThat(get("/api/v1/jobs/job-1/raw").body()).isEqualTo("one\ntwo\n");
    }

    @Test
    void log_atItsEnd_waitsForMore() throws Exception {
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                request("/api/v1/jobs/job-1/log?offset=8&wait=20000").build(), HttpResponse.BodyHandlers.ofString());
        builds.append("job-1", "three\n");
        assertThat(answer.get(30, TimeUnit.SECONDS).body()).isEqualTo("three\n");
        builds.end("job-1");
        assertThat(get("/api/v1/jobs/job-1/log?offset=14&wait=20000").headers().firstValue("X-Job-Over"))
                .contains("true");
    }

    @Test
    void job_asJson_hasWhatThePageShows() throws Exception {
        JsonNode job = new ObjectMapper().readTree(get("/api/v1/jobs/job-1").body());
        assertThat(job.get("id").asText()).isEqualTo("job-1");
        assertThat(job.get("over").isBoolean()).isTrue();
        assertThat(job.get("logBytes").asLong()).isEqualTo(8);
        JsonNode agents = new ObjectMapper().readTree(get("/api/v1/agents").body());
        assertThat(agents.get(0).get("connected").asBoolean()).isTrue();
    }

    @Test
    void cancel_byTheCookieWithoutTheHeader_isRefused() throws Exception {
        String cookie = login("alice");
        String path = "/api/v1/jobs/job-1/cancel";
        HttpRequest.BodyPublisher none = HttpRequest.BodyPublishers.noBody();
        assertThat(status(anonymous(path).header("Cookie", cookie).POST(none))).isEqualTo(403);
        assertThat(status(anonymous(path)
                        .header("Cookie", cookie)
                        .header("X-Touchstone", "page")
                        .header("Origin", "http://evil.example")
                        .POST(none)))
                .isEqualTo(403);
        assertThat(builds.cancelled).isEmpty();
        assertThat(status(anonymous(path)
                        .header("Cookie", cookie)
                        .header("X-Touchstone", "page")
                        .POST(none)))
                .isEqualTo(200);
        assertThat(builds.cancelled).containsExactly("job-1");
        assertThat(status(request(path).POST(none)))
                .as("no other site can send a token")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example, 403",
        "127.0.0.1.evil.example, 403",
        "localhost, 200",
        "LOCALHOST:1, 200",
        "[::1]:80, 200"
    })
    void get_underANameOfHost_onlyALocalOneIsAnswered(String host, int status) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET /api/v1/jobs HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer "
                                    + token("all").text() + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            assertThat(reader.readLine()).contains(" " + status + " ");
        }
    }

    /** The library takes the length of a chunk modulo 2^32, so that a proxy may see another end of the request than the server. */
    @Test
    void request_inChunks_isTheLastOfItsConnection() throws Exception {
        String head = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + token("all").text() + "\r\n";
        String body = "100000002\r\n{}\r\n0\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST /api/v1/jobs" + head
                                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + body
                                    + "GET /api/v1/agents" + head + "\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 400 ")
                    .containsOnlyOnce("HTTP/1.1 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs",
        "/api/v1/agents",
        "/api/v1/jobs/job-1",
        "/api/v1/jobs/job-1/log",
        "/api/v1/jobs/job-1/raw",
        "/api/v1/jobs/job-1/events"
    })
    void api_withoutAClientsToken_isRefused(String path) throws Exception {
        assertThat(status(anonymous(path))).isEqualTo(401);
        assertThat(status(request(path, "nobody"))).isEqualTo(401);
        assertThat(status(request(path, "agent"))).isEqualTo(401);
        assertThat(status(anonymous(path).header("Authorization", "Basic YTpi")))
                .isEqualTo(401);
        assertThat(status(anonymous(path).header("Cookie", "builds-" + server.port() + "=" + "0".repeat(32))))
                .isEqualTo(401);
    }

    @Test
    void jobs_ofAnother_areThereForReadersOnly() throws Exception {
        for (String path : List.of("/api/v1/jobs/job-1", "/api/v1/jobs/job-1/log", "/api/v1/jobs/job-1/raw")) {
            assertThat(status(request(path, "bob"))).isEqualTo(404);
            assertThat(status(request(path, "alice"))).isEqualTo(200);
            assertThat(status(request(path, "reader"))).isEqualTo(200);
        }
        assertThat(status(post(request("/api/v1/jobs/job-1/cancel", "bob"), "")))
                .isEqualTo(404);
        assertThat(status(post(request("/api/v1/jobs/job-1/cancel", "reader"), "")))
                .isEqualTo(403);
        assertThat(builds.cancelled).isEmpty();
        assertThat(status(post(request("/api/v1/jobs/job-1/cancel", "alice"), "")))
                .isEqualTo(200);
    }

    @Test
    void login_withAToken_isACookieUntilTheLogout() throws Exception {
        HttpResponse<?> login = client.send(
                post(anonymous("/api/v1/login"), token("alice").text() + "\n").build(),
                HttpResponse.BodyHandlers.discarding());
        assertThat(login.statusCode()).isEqualTo(200);
        String set = login.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(set).contains("; HttpOnly", "; SameSite=Strict").doesNotContain("token");
        String cookie = set.substring(0, set.indexOf(';'));
        assertThat(status(anonymous("/api/v1/jobs/job-1").header("Cookie", "other=1; " + cookie)))
                .isEqualTo(200);
        assertThat(status(anonymous("/api/v1/jobs/job-1").header("Cookie", "x" + cookie)))
                .isEqualTo(401);
        assertThat(status(post(anonymous("/api/v1/logout").header("Cookie", cookie), "")))
                .isEqualTo(200);
        assertThat(status(anonymous("/api/v1/jobs/job-1").header("Cookie", cookie)))
                .isEqualTo(401);
    }

    @Test
    void login_ofARevokedToken_ends() throws Exception {
        HttpResponse<?> login = client.send(
                post(anonymous("/api/v1/login"), token("alice").text()).build(),
                HttpResponse.BodyHandlers.discarding());
        String set = login.headers().firstValue("Set-Cookie").orElseThrow();
        String cookie = set.substring(0, set.indexOf(';'));
        assertThat(status(anonymous("/api/v1/jobs").header("Cookie", cookie))).isEqualTo(200);
        TokenTable.load(tokens()).without("alice").save(tokens());
        assertThat(access.refresh()).as("one look is not enough").isFalse();
        assertThat(access.refresh()).isTrue();
        assertThat(status(anonymous("/api/v1/jobs").header("Cookie", cookie))).isEqualTo(401);
        assertThat(status(request("/api/v1/jobs", "alice"))).isEqualTo(401);
    }

    @Test
    void login_withoutAGoodToken_orFromAnotherSite_isRefused() throws Exception {
        for (String token : List.of("", "nobody", token("agent").text())) {
            assertThat(status(post(anonymous("/api/v1/login"), token))).isEqualTo(401);
        }
        assertThat(status(post(anonymous("/api/v1/login"), "x".repeat(5_000)))).isEqualTo(413);
        String token = token("alice").text();
        assertThat(status(anonymous("/api/v1/login").POST(HttpRequest.BodyPublishers.ofString(token))))
                .isEqualTo(403);
        assertThat(status(post(anonymous("/api/v1/login").header("Origin", "http://evil.example"), token)))
                .isEqualTo(403);
        assertThat(status(
                        post(anonymous("/api/v1/login").header("Origin", "http://127.0.0.1:" + server.port()), token)))
                .isEqualTo(200);
    }

    @Test
    void logins_ofOneToken_endNoneOfOthers() throws Exception {
        String alices = login("alice");
        String first = login("bob");
        for (int i = 0; i < 1_001; i++) {
            assertThat(login("bob")).isNotEmpty();
        }
        assertThat(status(anonymous("/api/v1/jobs").header("Cookie", alices))).isEqualTo(200);
        assertThat(status(anonymous("/api/v1/jobs").header("Cookie", first))).isEqualTo(401);
    }

    private String login(String name) throws Exception {
        HttpResponse<?> login = client.send(
                post(anonymous("/api/v1/login"), token(name).text()).build(), HttpResponse.BodyHandlers.discarding());
        String set = login.headers().firstValue("Set-Cookie").orElseThrow();
        return set.substring(0, set.indexOf(';'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app.js", "/api/v1/jobs", "/nothing"})
    void requests_ofAStranger_inOneConnection_areAnsweredOnce(String path) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .repeat(3)
                            .getBytes(StandardCharsets.ISO_8859_1));
            socket.setSoTimeout(40_000);
            StringBuilder text = new StringBuilder();
            try {
                for (int c = socket.getInputStream().read();
                        c >= 0;
                        c = socket.getInputStream().read()) {
                    text.append((char) c);
                }
            } catch (SocketException e) {
                // closed with requests unread
            }
            assertThat(text.toString().split("HTTP/1.1 ", -1).length - 1)
                    .as("answers, unless a reset took them")
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void requests_thatStopHalfway_keepNobodyOut() throws Exception {
        List<Socket> half = new ArrayList<>();
        try {
            for (int i = 0; i < 150; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                half.add(socket);
                socket.getOutputStream().write("GET /api/v1/jobs HTTP/1.1\r\nHo".getBytes(StandardCharsets.ISO_8859_1));
            }
            assertThat(status(request("/api/v1/jobs"))).isEqualTo(200);
            for (Socket socket : half) {
                socket.setSoTimeout(40_000);
                assertThat(socket.getInputStream().read()).as("is closed").isNegative();
            }
        } finally {
            for (Socket socket : half) {
                socket.close();
            }
        }
    }

    @Test
    void log_withTooManyThatWait_othersAreToldToComeAgain() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            waiting.add(client.sendAsync(
                    request("/api/v1/jobs/job-1/log?offset=8&wait=20000").build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        HttpResponse<?> refused = (HttpResponse<?>) CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                .get(30, TimeUnit.SECONDS);
        assertThat(refused.statusCode()).isEqualTo(503);
        builds.append("job-1", "three\n");
        for (CompletableFuture<HttpResponse<String>> one : waiting) {
            assertThat(one.get(30, TimeUnit.SECONDS).statusCode()).isIn(200, 503);
        }
    }
}
