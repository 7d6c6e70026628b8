package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ApiTest {
    private static final String GOOD = "{\"repository\": \"file:///r\", \"branch\": \"b\", \"script\": \"s\"}";

    private final FakeBuilds builds = new FakeBuilds();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private WebServer server;
    private Access access;

    @TempDir
    private Path folder;

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    @BeforeEach
    void start() throws IOException {
        TokenTable.EMPTY
                .with("alice", Set.of(Role.SUBMIT), token("alice"))
                .with("reader", Set.of(Role.READ), token("reader"))
                .save(folder.resolve("tokens"));
        access = Access.of(token("all"), folder.resolve("tokens"));
        server = WebServer.start(builds, access, 0);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpRequest.Builder request(String path, String name) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + token(name).text());
    }

    private HttpResponse<String> submit(String body, String name) throws Exception {
        return client.send(
                request("/api/v1/jobs", name)
                        .header("Content-Type", "application/json; charset=utf-8")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        return new ObjectMapper().readTree(answer.body());
    }

    @Test
    void submit_withAllFields_isTheRequest() throws Exception {
        HttpResponse<String> answer = submit("""
                {"repository": "file:///r", "branch": "b", "script": "s", "commit": "c", "runner": "node", "label": "l",
                 "environment": {"A": "1"}, "secrets": {"S": "secret"}, "output": "files", "timeoutSeconds": 5,
                 "queueTimeoutSeconds": 6, "maxLogBytes": 7}""", "alice");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Location")).contains("/api/v1/jobs/new-1");
        assertThat(json(answer).get("id").asText()).isEqualTo("new-1");
        assertThat(builds.submitted)
                .containsExactly(BuildRequest.of("file:///r", "b", "s")
                        .commit("c")
                        .runner("node")
                        .label("l")
                        .environment(Map.of("A", "1"))
                        .secret("S", "secret")
                        .output(OutputMode.FILES)
                        .timeout(Duration.ofSeconds(5))
                        .queueTimeout(Duration.ofSeconds(6))
                        .maxLogBytes(7)
                        .build());
    }

    @Test
    void submit_withCharactersBeyond16Bits_isTheRequest() throws Exception {
        String face = "\ud83d\ude00";
        assertThat(submit(GOOD.replace("\"b\"", "\"" + face + "\""), "all").statusCode())
                .isEqualTo(201);
        assertThat(builds.submitted)
                .containsExactly(BuildRequest.of("file:///r", face, "s").build());
    }

    @Test
    void submit_withTheFieldsThatMustBe_hasTheDefaults() throws Exception {
        assertThat(submit(GOOD, "all").statusCode()).isEqualTo(201);
        assertThat(builds.submitted)
                .containsExactly(BuildRequest.of("file:///r", "b", "s").build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "[]                                        | /                    | -",
                "{                                         | /                    | -",
                "{\"branch\": \"b\", \"branch\": \"c\"}    | /                    | -",
                "{\"branch\": \"b\"} {}                    | /                    | -",
                "{\"branch\": \"b\"}                       | /repository          | -",
                "{\"branch\": 7}                           | /branch              | 7",
                "{\"branch\": null}                        | /branch              | null",
                "{\"branch\": \"\"}                        | /branch              | ''",
                "{\"colour\": \"red\"}                     | /colour              | red",
                "{\"runner\": \"a b\"}                     | /runner              | a b",
                "{\"output\": \"paper\"}                   | /output              | paper",
                "{\"timeoutSeconds\": 0}                   | /timeoutSeconds      | 0",
                "{\"timeoutSeconds\": 1.5}                 | /timeoutSeconds      | 1.5",
                "{\"timeoutSeconds\": 99999999999999999999} | /timeoutSeconds     | 99999999999999999999",
                "{\"queueTimeoutSeconds\": \"1\"}          | /queueTimeoutSeconds | 1",
                "{\"maxLogBytes\": -1}                     | /maxLogBytes         | -1",
                "{\"environment\": {\"A\": 1}}             | /environment         | -",
                "{\"branch\": \"a\\ud800\"}                | /branch              | a?",
                "{\"script\": \"\\udc00\\ud800\"}           | /script              | ??",
                "{\"environment\": {\"A\": \"\\ud800x\"}} | /environment         | -",
                "{\"environment\": {\"1A\": \"secret\"}}   | /environment         | -",
                "{\"secrets\": \"secret\"}                 | /secrets             | -",
                "{\"secrets\": {\"S\": [\"secret\"]}}      | /secrets             | -",
            })
    void submit_withAWrongField_isAProblemThatNamesIt(String body, String field, String value) throws Exception {
        HttpResponse<String> answer = submit(body, "alice");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = json(answer);
        assertThat(problem.get("status").asInt()).isEqualTo(400);
        assertThat(problem.get("place").asText()).isEqualTo("body");
        assertThat(problem.get("field").asText()).isEqualTo(field);
        assertThat(problem.has("value") ? problem.get("value").asText() : null).isEqualTo(value);
        assertThat(answer.body()).doesNotContain("secret\"").doesNotContain("=secret");
        assertThat(builds.submitted).isEmpty();
    }

    @Test
    void submit_byAReaderOrOfAnotherType_isRefused() throws Exception {
        assertThat(submit(GOOD, "reader").statusCode()).isEqualTo(403);
        assertThat(submit(GOOD, "nobody").statusCode()).isEqualTo(401);
        HttpRequest.Builder form = request("/api/v1/jobs", "alice")
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(GOOD));
        assertThat(client.send(form.build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(415);
        assertThat(builds.submitted).isEmpty();
    }

    @Test
    void submit_thatTheMasterRefuses_saysWhy() throws Exception {
        builds.refusal = new BuildException(BuildCode.QUEUE_FULL, "queue is full");
        HttpResponse<String> answer = submit(GOOD, "alice");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(json(answer).get("detail").asText()).isEqualTo("queue is full");
        builds.refusal = new BuildException(BuildCode.OUTPUT, "no such output");
        assertThat(json(submit(GOOD, "alice")).get("field").asText()).isEqualTo("/output");
    }

    @Test
    void submit_ofMoreThanAMebibyte_isRefused() throws Exception {
        String large = "{\"script\": \"" + "x".repeat(1 << 20) + "\"}";
        assertThat(submit(large, "alice").statusCode()).isEqualTo(413);
        HttpRequest.Builder chunked = request("/api/v1/jobs", "alice")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8))));
        assertThat(client.send(chunked.build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(413);
        assertThat(raw("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer " + token("alice").text()
                        + "\r\nContent-Length: 9000000000000000000\r\n\r\n{"))
                .contains(" 413 ");
        assertThat(builds.submitted).isEmpty();
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs?most=0, most, 0",
        "/api/v1/jobs?most=501, most, 501",
        "/api/v1/jobs?most=x, most, x",
        "/api/v1/jobs?most=1&most=2, most, 2",
        "/api/v1/jobs?colour=red, colour, red",
        "/api/v1/agents?most=1, most, 1",
        "/api/v1/jobs/job/log?offset=-1, offset, -1",
        "/api/v1/jobs/job/events?offset=x, offset, x",
    })
    void query_thatIsWrong_isAProblemThatNamesIt(String path, String field, String value) throws Exception {
        builds.append("job", "");
        HttpResponse<String> answer = client.send(request(path, "alice").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).get("place").asText()).isEqualTo("query");
        assertThat(json(answer).get("field").asText()).isEqualTo(field);
        assertThat(json(answer).get("value").asText()).isEqualTo(value);
    }

    @Test
    void jobs_beforeAnother_areTheOlderOnes() throws Exception {
        for (int i = 1; i <= 5; i++) {
            builds.append("job-" + i, "");
        }
        HttpResponse<String> answer = client.send(
                request("/api/v1/jobs?most=2&before=job-4", "alice").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(json(answer).findValuesAsText("id")).containsExactly("job-3", "job-2");
    }

    /** An event as a browser gets it. */
    private record Event(String name, long id, JsonNode data) {}

    private HttpResponse<InputStream> follow(String path, String last) throws Exception {
        HttpRequest.Builder request = request(path, "alice");
        if (!last.isEmpty()) {
            request.header("Last-Event-ID", last);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static List<Event> read(InputStream in, int most) throws IOException {
        List<Event> events = new ArrayList<>();
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String name = "";
        long id = -1;
        JsonNode data = null;
        for (String line = reader.readLine(); line != null; line = events.size() < most ? reader.readLine() : null) {
            if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = Long.parseLong(line.substring(4));
            } else if (line.startsWith("data: ")) {
                data = new ObjectMapper().readTree(line.substring(6));
            } else if (line.isEmpty() && data != null) {
                events.add(new Event(name, id, data));
                data = null;
            }
        }
        return events;
    }

    private static byte[] bytes(Event log) throws IOException {
        return log.data.has("text")
                ? log.data.get("text").asText().getBytes(StandardCharsets.UTF_8)
                : log.data.get("base64").binaryValue();
    }

    @Test
    void events_ofAJob_areItsStatesItsLogAndItsResult() throws Exception {
        builds.append("job", "one\n");
        HttpResponse<InputStream> answer = follow("/api/v1/jobs/job/events", "");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        try (InputStream in = answer.body()) {
            assertThat(read(in, 2)).extracting(Event::name).containsExactly("state", "log");
            builds.append("job", "two\n");
            Event two = read(in, 1).get(0);
            assertThat(two.id).isEqualTo(8);
            assertThat(two.data.get("offset").asLong()).isEqualTo(4);
            assertThat(two.data.get("text").asText()).isEqualTo("two\n");
            builds.end("job");
            List<Event> end = read(in, 9);
            assertThat(end).extracting(Event::name).containsExactly("result");
            assertThat(end.get(0).data.get("over").asBoolean()).isTrue();
            assertThat(end.get(0).id).isEqualTo(8);
        }
    }

    @Test
    void events_fromTheIdOfTheLast_areTheRestByteForByte() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        java.io.ByteArrayOutputStream log = new java.io.ByteArrayOutputStream();
        while (log.size() < 300_000) {
            log.writeBytes("text \u00fc \ud83d\ude00 \u20ac\n"
                    .repeat(random.nextInt(2_000))
                    .getBytes(StandardCharsets.UTF_8));
            byte[] noise = new byte[random.nextInt(20_000)];
            random.nextBytes(noise);
            log.writeBytes(noise);
        }
        builds.append("job", log.toByteArray());
        builds.end("job");
        java.io.ByteArrayOutputStream got = new java.io.ByteArrayOutputStream();
        long last = 0;
        boolean isOver = false;
        while (!isOver) {
            try (InputStream in = follow("/api/v1/jobs/job/events", last == 0 ? "" : Long.toString(last))
                    .body()) {
                for (Event event : read(in, 1 + random.nextInt(3))) {
                    isOver |= event.name.equals("result");
                    if (event.name.equals("log")) {
                        assertThat(event.data.get("offset").asLong())
                                .as("seed=" + seed)
                                .isEqualTo(last);
                        got.writeBytes(bytes(event));
                    }
                    last = event.id;
                }
            }
        }
        assertThat(got.toByteArray()).as("seed=" + seed).isEqualTo(log.toByteArray());
    }

    @Test
    void events_forMoreThanAreAllowed_areRefused_andOthersGoOn() throws Exception {
        builds.append("job", "x".repeat(4 << 20) + "\n"); // more than a socket takes, so that nobody's stream ends
        List<InputStream> slow = new ArrayList<>();
        try {
            for (int i = 0; i < Api.MAX_FOLLOWERS_OF_TOKEN; i++) {
                slow.add(follow("/api/v1/jobs/job/events", "").body());
            }
            HttpResponse<InputStream> refused = follow("/api/v1/jobs/job/events", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            builds.append("other", "hello\n");
            builds.end("other");
            HttpResponse<InputStream> other = client.send(
                    request("/api/v1/jobs/other/events", "reader").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(read(other.body(), 9)).extracting(Event::name).containsExactly("log", "result");
        } finally {
            for (InputStream in : slow) {
                in.close();
            }
        }
    }

    @Test
    void events_ofARevokedToken_end() throws Exception {
        builds.append("job", "one\n");
        try (InputStream in = follow("/api/v1/jobs/job/events", "").body()) {
            assertThat(read(in, 2)).hasSize(2);
            revoke("alice");
            assertThat(read(in, 9)).isEmpty();
        }
    }

    private void revoke(String name) throws IOException {
        TokenTable.load(folder.resolve("tokens")).without(name).save(folder.resolve("tokens"));
        assertThat(access.refresh()).isFalse();
        assertThat(access.refresh()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs", "jobs/job-1001/log", "jobs/job-1001/raw"})
    void answer_whoseTokenIsRevokedMeanwhile_isBrokenOff(String path) {
        assertBrokenOff(path, () -> revoke("alice"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs", "jobs/job-1001/log", "jobs/job-1001/raw"})
    void answer_duringWhichTheMasterFallsSilent_isBrokenOff(String path) {
        assertBrokenOff(path, () -> {
            throw new IllegalStateException("the master does not answer");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs/job-1001/log", "jobs/job-1001/raw"})
    void answer_whoseLogGoesMeanwhile_isBrokenOff(String path) {
        assertBrokenOff(path, () -> builds.empty("job-1001"));
    }

    /** An answer that ended as others do would look as if there were no more. */
    private void assertBrokenOff(String path, Meanwhile meanwhile) {
        for (int i = 0; i < 500; i++) {
            builds.append("job-" + (1_000 + i), "x".repeat(50_000));
        }
        AtomicInteger reads = new AtomicInteger();
        builds.whenRead = () -> {
            if (reads.incrementAndGet() == 2) { // the answer has begun
                try {
                    meanwhile.execute();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        HttpRequest request = request("/api/v1/" + path, "alice").build();
        assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    /** Something that happens during an answer. */
    private interface Meanwhile {
        void execute() throws IOException;
    }

    @Test
    void metrics_areTextForThoseWhoSeeAllJobs() throws Exception {
        assertThat(client.send(request("/metrics", "alice").build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(403);
        HttpResponse<String> answer =
                client.send(request("/metrics", "reader").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body().lines())
                .contains(
                        "# TYPE builds_jobs_queued gauge",
                        "builds_jobs_queued 1",
                        "builds_jobs_ended_total{result=\"succeeded\"} 3",
                        "builds_queue_oldest_seconds 1.5",
                        "builds_refused_calls_total{by=\"web\"} 1")
                .allMatch(line -> line.matches(
                        "# (HELP|TYPE) builds_[a-z_]+ .+|builds_[a-z_]+(\\{[a-z]+=\"[a-z_]+\"})? [0-9.]+"));
    }

    @Test
    void health_ofAMasterThatDoesNotServe_is503() throws Exception {
        HttpRequest health = request("/health", "alice").build();
        assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo("{\"status\":\"serving\"}");
        builds.problem = "the journal cannot be written";
        HttpResponse<String> answer = client.send(health, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(json(answer).get("detail").asText()).isEqualTo("the journal cannot be written");
        assertThat(client.send(request("/health", "nobody").build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
    }

    /** Asks for a whole log, which it does not read, until there is no place for a token. */
    private void takeAllPlaces(String name, List<InputStream> unread) throws Exception {
        int status = 200;
        for (int i = 0; status == 200 && i < 256; i++) {
            HttpResponse<InputStream> answer = client.send(
                    request("/api/v1/jobs/job/raw", name).build(), HttpResponse.BodyHandlers.ofInputStream());
            unread.add(answer.body());
            status = answer.statusCode();
        }
        assertThat(status).isEqualTo(503);
    }

    @Test
    void requests_thatNoTokenReads_leaveRoomForThoseWithout() throws Exception {
        builds.append("job", "x".repeat(8 << 20));
        List<InputStream> unread = new ArrayList<>();
        try {
            for (String name : List.of("alice", "reader", "all")) {
                takeAllPlaces(name, unread);
            }
            HttpRequest page = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
                    .build();
            assertThat(client.send(page, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        } finally {
            for (InputStream in : unread) {
                in.close();
            }
        }
    }

    @Test
    void requests_thatOneTokenDoesNotRead_leaveRoomForOthers() throws Exception {
        builds.append("job", "x".repeat(8 << 20)); // more than a socket takes
        List<InputStream> unread = new ArrayList<>();
        try {
            takeAllPlaces("alice", unread);
            assertThat(client.send(request("/api/v1/jobs", "reader").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (InputStream in : unread) {
                in.close();
            }
        }
        int status = 503;
        while (status == 503) { // until the server has noticed
            status = client.send(request("/api/v1/jobs", "alice").build(), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }
        assertThat(status).isEqualTo(200);
    }

    @Test
    void jobs_ofALongList_areFetchedInParts() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ids.add(0, "job-" + (1_000 + i));
            builds.append(ids.get(0), "");
        }
        for (int most : List.of(1, 49, 50, 51, 100, 499, 500)) {
            HttpResponse<String> answer = client.send(
                    request("/api/v1/jobs?most=" + most, "alice").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(json(answer).findValuesAsText("id")).isEqualTo(ids.subList(0, most));
        }
        assertThat(builds.mostListed).isLessThanOrEqualTo(50);
    }

    @Test
    void log_ofAMebibyte_isReadInPieces() throws Exception {
        String text = "0123456789abcde\n".repeat(80_000);
        builds.append("job", text);
        for (int length : List.of(0, 1, (16 << 10) - 1, 16 << 10, (16 << 10) + 1, 1 << 20)) {
            HttpResponse<String> answer = client.send(
                    request("/api/v1/jobs/job/log?offset=3&length=" + length, "alice")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo(text.substring(3, 3 + length));
            assertThat(answer.headers().firstValue("X-Log-Bytes")).contains(Integer.toString(text.length()));
        }
        HttpResponse<String> raw =
                client.send(request("/api/v1/jobs/job/raw", "alice").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(raw.body()).isEqualTo(text);
        assertThat(builds.mostRead).isLessThanOrEqualTo(16 << 10);
    }

    @Test
    void times_ofALongLog_comeInParts() throws Exception {
        List<Long> all = java.util.stream.LongStream.range(0, 10_000)
                .map(i -> 10 * i)
                .boxed()
                .toList();
        builds.times = all;
        builds.append("job", "");
        List<Long> got = new ArrayList<>();
        int count = 1;
        while (count > 0) {
            HttpResponse<String> answer = client.send(
                    request(
                                    "/api/v1/jobs/job/times?offset="
                                            + (got.isEmpty() ? 0 : got.get(got.size() - 1) + 1),
                                    "alice")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            JsonNode offsets = json(answer).get("offsets");
            count = offsets.size();
            assertThat(count).isLessThanOrEqualTo(4_096);
            assertThat(json(answer).get("seconds")).hasSize(count);
            offsets.forEach(offset -> got.add(offset.asLong()));
        }
        assertThat(got).isEqualTo(all);
    }

    @Test
    void submit_ofManyOrDeepValues_isRefusedBeforeTheyAreInMemory() throws Exception {
        for (String body : List.of(
                "{\"environment\": [" + "1,".repeat(20_000) + "1]}",
                "[".repeat(9) + "]".repeat(9),
                "[".repeat(400_000) + "]".repeat(400_000))) {
            HttpResponse<String> answer = submit(body, "alice");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(json(answer).get("detail").asText()).contains("too many or too deep values");
        }
        StringBuilder many =
                new StringBuilder(GOOD.substring(0, GOOD.length() - 1) + ", \"environment\": {\"V\": \"\"");
        for (int i = 1; i < 1_000; i++) {
            many.append(", \"V")
                    .append(i)
                    .append("\": \"")
                    .append("x".repeat(200))
                    .append('"');
        }
        assertThat(submit(many + "}}", "alice").statusCode()).isEqualTo(201);
    }

    @Test
    void submit_byAReader_isRefusedWithoutItsBody() throws Exception {
        assertThat(raw("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer " + token("reader").text() + "\r\nContent-Length: 1000000\r\n\r\n"))
                .contains(" 403 ");
    }

    @Test
    void submit_againWithTheKeyOfAnotherRequest_isAProblem() throws Exception {
        assertThat(keyed(GOOD).statusCode()).isEqualTo(201);
        assertThat(json(keyed(GOOD)).get("id").asText()).isEqualTo("new-1");
        HttpResponse<String> other = keyed(GOOD.replace("}", ", \"environment\": {\"A\": \"1\"}}"));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(json(other).get("field").asText()).isEqualTo("Idempotency-Key");
        assertThat(builds.submitted).hasSize(1);
    }

    private HttpResponse<String> keyed(String body) throws Exception {
        HttpRequest.Builder request = request("/api/v1/jobs", "alice")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "one")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Half bodies take all places of large ones: small requests pass, and large ones are told to come again. */
    @Test
    void submit_besideHalfLargeBodies_goesOn() throws Exception {
        List<Socket> half = new ArrayList<>();
        String large = GOOD.replace("}", ", \"environment\": {\"A\": \"" + "x".repeat(20_000) + "\"}}");
        try {
            int status = 0;
            while (status != 503 && half.size() < 20) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                half.add(socket);
                String head = "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer " + token("alice").text() + "\r\nContent-Length: 900000\r\n\r\n";
                socket.getOutputStream().write((head + " ".repeat(20_000)).getBytes(StandardCharsets.ISO_8859_1));
                status = submit(large, "alice").statusCode();
            }
            assertThat(status).isEqualTo(503);
            assertThat(submit(GOOD, "alice").statusCode()).isEqualTo(201);
        } finally {
            for (Socket socket : half) {
                socket.close();
            }
        }
        int status = 503;
        while (status == 503) {
            status = submit(large, "alice").statusCode();
        }
        assertThat(status).isEqualTo(201);
    }
}
