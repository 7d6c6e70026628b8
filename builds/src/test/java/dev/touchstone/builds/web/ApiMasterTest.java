package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.link.FakeAgent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API over a real master. */
@Timeout(300)
final class ApiMasterTest {
    @TempDir
    Path folder;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Site site;
    private WebServer server;
    private Access access;

    @BeforeEach
    void start() throws IOException {
        site = new Site(folder.resolve("master"));
        TokenTable.EMPTY
                .with("alice", Set.of(Role.SUBMIT), token("alice"))
                .with("bob", Set.of(Role.SUBMIT), token("bob"))
                .with("reader", Set.of(Role.READ), token("reader"))
                .save(folder.resolve("tokens"));
        access = Access.of(Site.TOKEN, folder.resolve("tokens"));
        serve();
    }

    private void serve() throws IOException {
        server = WebServer.start(site.master().view(), access, 0);
    }

    @AfterEach
    void close() {
        server.close();
        site.close();
    }

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    private HttpRequest.Builder request(String path, String name) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + token(name).text());
    }

    private HttpResponse<String> get(String path, String name) throws Exception {
        return http.send(request(path, name).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String name, String body) throws Exception {
        return http.send(
                request(path, name)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        return new ObjectMapper().readTree(answer.body());
    }

    private String submit(String name, String more) throws Exception {
        HttpResponse<String> answer = post(
                "/api/v1/jobs",
                name,
                "{\"repository\": \"git+file:///r\", \"branch\": \"b\", \"script\": \"s\"" + more + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json(answer).get("id").asText();
    }

    @Test
    void submit_byAToken_isAJobOfItsNameAlsoAfterARestart() throws Exception {
        String id = submit("alice", ", \"label\": \"later\"");
        server.close();
        site.stopMaster();
        site.startMaster();
        serve();
        JsonNode job = json(get("/api/v1/jobs/" + id, "alice"));
        assertThat(job.get("owner").asText()).isEqualTo("alice");
        assertThat(job.get("status").asText()).isEqualTo("QUEUED");
        assertThat(get("/api/v1/jobs/" + id, "bob").statusCode()).isEqualTo(404);
        assertThat(json(get("/api/v1/jobs", "bob"))).isEmpty();
        assertThat(post("/api/v1/jobs/" + id + "/cancel", "bob", "").statusCode())
                .isEqualTo(404);
        assertThat(json(post("/api/v1/jobs/" + id + "/cancel", "alice", ""))
                        .get("cancelled")
                        .asBoolean())
                .isTrue();
        Until.isTrue("it is cancelled", () -> {
            try {
                return json(get("/api/v1/jobs/" + id, "alice"))
                        .get("status")
                        .asText()
                        .equals("CANCELLED");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void events_ofARealJob_goFromQueuedToTheResult() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        String id = submit("alice", "");
        var stream = http.send(
                request("/api/v1/jobs/" + id + "/events", "alice").build(), HttpResponse.BodyHandlers.ofLines());
        StringBuilder text = new StringBuilder();
        site.agent("a", site.with(new FakeAgent(run -> {
            run.print("first\n");
            goOn.await();
            run.print("last\n");
            return 3;
        })));
        stream.body().forEach(line -> {
            text.append(line).append('\n');
            if (line.contains("first")) {
                goOn.countDown();
            }
        });
        assertThat(text.toString().lines().filter(line -> line.startsWith("event: ")))
                .startsWith("event: state")
                .endsWith("event: result")
                .contains("event: log");
        assertThat(text)
                .containsSubsequence("\"status\":\"QUEUED\"", "\"status\":\"ASSIGNED\"", "first", "last")
                .containsSubsequence("event: result", "\"status\":\"SCRIPT_FAILED\"", "\"exitCode\":3");
        assertThat(get("/api/v1/jobs/" + id + "/raw", "alice").body()).isEqualTo("first\nlast\n");
    }

    @Test
    void retry_ofAJob_isAnotherJobThatSaysSo() throws Exception {
        String id = submit("alice", ", \"label\": \"later\", \"secrets\": {\"S\": \"hush\"}");
        assertThat(post("/api/v1/jobs/" + id + "/retry", "bob", "").statusCode())
                .isEqualTo(404);
        assertThat(post("/api/v1/jobs/" + id + "/retry", "reader", "").statusCode())
                .isEqualTo(403);
        HttpResponse<String> answer = post("/api/v1/jobs/" + id + "/retry", "alice", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Location"))
                .contains("/api/v1/jobs/" + json(answer).get("id").asText());
        assertThat(json(answer).get("retryOf").asText()).isEqualTo(id);
        assertThat(json(answer).get("label").asText()).isEqualTo("later");
    }

    @Test
    void metricsAndHealth_areTheMasters() throws Exception {
        String waits = submit("alice", ", \"label\": \"later\"");
        site.agent("a", site.with(new FakeAgent(run -> {
            run.print("12345\n");
            return 0;
        })));
        String done = submit("alice", "");
        Until.isTrue(
                "it has ended",
                () -> site.master().view().job(Site.ALL, done).orElseThrow().over());
        assertThat(get("/metrics", "reader").body().lines())
                .contains(
                        "builds_jobs_queued 1",
                        "builds_jobs_running 0",
                        "builds_jobs_ended_total{result=\"succeeded\"} 1",
                        "builds_jobs_ended_total{result=\"cancelled\"} 0",
                        "builds_agents 1",
                        "builds_executors 2",
                        "builds_log_bytes 6");
        assertThat(get("/health", "alice").statusCode()).isEqualTo(200);
        site.stopMaster();
        HttpResponse<String> ended = get("/health", "alice");
        assertThat(ended.statusCode()).isEqualTo(503);
        assertThat(json(ended).get("detail").asText()).isEqualTo("the master ends");
        assertThat(waits).isNotEqualTo(done);
    }

    @Test
    void submit_againWithTheSameKey_isTheSameJobAlsoAfterARestart() throws Exception {
        String first = keyed("alice", "key 1");
        assertThat(keyed("alice", "key 1")).isEqualTo(first);
        assertThat(keyed("alice", "key 2")).isNotEqualTo(first);
        assertThat(keyed("bob", "key 1")).isNotEqualTo(first);
        server.close();
        site.stopMaster();
        site.startMaster();
        serve();
        assertThat(keyed("alice", "key 1")).isEqualTo(first);
        assertThat(json(get("/api/v1/jobs", "reader"))).hasSize(3);
    }

    private String keyed(String name, String key) throws Exception {
        HttpResponse<String> answer = http.send(
                request("/api/v1/jobs", name)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"repository\": \"r\", \"branch\": \"b\", \"script\": \"s\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json(answer).get("id").asText();
    }

    @Test
    void submit_ofAnOutputThatTheMasterHasNot_isRefused() throws Exception {
        HttpResponse<String> answer = post(
                "/api/v1/jobs",
                "alice",
                "{\"repository\": \"r\", \"branch\": \"b\", \"script\": \"s\", \"output\": \"redis\"}");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(json(answer).get("detail").asText()).contains("has not this output");
    }
}
