package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.hook.Forge;
import dev.touchstone.builds.hook.Hook;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are refused, as the master's log has them. */
@Timeout(60)
class RefusalsTest {
    private static final Logger LOG = Logger.getLogger(Refusals.class.getName());
    private static final String SECRET = "a secret of tests";

    private final FakeBuilds builds = new FakeBuilds();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private WebServer server;

    @TempDir
    private Path folder;

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    @BeforeEach
    void start() throws IOException {
        TokenTable.EMPTY.with("reader", Set.of(Role.READ), token("reader")).save(folder.resolve("tokens"));
        server = WebServer.start(
                builds,
                Access.of(token("all"), folder.resolve("tokens")),
                0,
                List.of(hook("one"), hook("other")),
                folder.resolve("reports"));
        LOG.addHandler(handler);
    }

    @AfterEach
    void close() {
        LOG.removeHandler(handler);
        server.close();
    }

    private static Hook hook(String name) {
        return new Hook(
                name,
                Forge.GITLAB,
                FakeBuilds.OWNER,
                Token.of(SECRET),
                "git+file:///r",
                "ci/build",
                "bash",
                "any",
                Map.of(),
                List.of(),
                Optional.empty());
    }

    private int post(String path, String header, String value) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", "application/json")
                .header(header, value)
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"repository\": \"file:///r\", \"branch\": \"b\", \"script\": \"s\"}"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private int submit(String name) throws Exception {
        return post("/api/v1/jobs", "Authorization", "Bearer " + token(name).text());
    }

    @Test
    void requests_thatAreRefused_areInTheLogByReason() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(submit("nobody")).isEqualTo(401);
        }
        assertThat(submit("reader")).isEqualTo(403);
        builds.refusal = new BuildException(BuildCode.OUTPUT, "master has not this output: has=[STREAM]");
        assertThat(submit("all")).isEqualTo(422);
        builds.refusal = new BuildException(BuildCode.QUEUE_FULL, "queue is full: waiting=1\nof many");
        assertThat(submit("all")).isEqualTo(503);
        builds.refusal = new BuildException(BuildCode.QUEUE_FULL, "queue is full: waiting=2\nof many");
        assertThat(submit("all")).isEqualTo(503);
        assertThat(post(
                        "/api/v1/nothing",
                        "Authorization",
                        "Bearer " + token("all").text()))
                .isEqualTo(404);
        String path = "/api/v1/jobs";
        assertThat(logged)
                .containsExactly(
                        line(1, 401, path, "log in with a token of a client"),
                        line(2, 401, path, "log in with a token of a client"),
                        line(4, 401, path, "log in with a token of a client"),
                        line(1, 403, path, "token may not submit builds: token=reader"),
                        line(1, 422, path, "master has not this output: has=[STREAM]"),
                        line(1, 503, path, "queue is full: waiting=1?of many"),
                        line(2, 503, path, "queue is full: waiting=2?of many"));
    }

    private static String line(int count, int status, String path, String reason) {
        return "request is refused: so far=" + count + " status=" + status + " method=POST path=" + path + " reason="
                + reason;
    }

    @Test
    void deliveries_thatAreForged_areInTheLogByHook() throws Exception {
        for (String hook : List.of("one", "one", "one", "other")) {
            assertThat(post("/hooks/" + hook, "X-Gitlab-Token", "guessed")).isEqualTo(403);
        }
        String forged = " is not the forge's: signature or secret is wrong or missing";
        assertThat(logged)
                .containsExactly(
                        line(1, 403, "/hooks/one", "delivery to hook=one" + forged),
                        line(2, 403, "/hooks/one", "delivery to hook=one" + forged),
                        line(1, 403, "/hooks/other", "delivery to hook=other" + forged))
                .noneMatch(line -> line.contains("guessed") || line.contains(SECRET));
    }
}
