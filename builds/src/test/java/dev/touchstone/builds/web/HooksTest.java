package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.hook.Forge;
import dev.touchstone.builds.hook.Hook;
import dev.touchstone.builds.hook.StatusReport;
import dev.touchstone.builds.link.FakeAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Deliveries of forges to the server, and what a forge in this process is told. */
@Timeout(300)
final class HooksTest {
    private static final String SECRET = "hook secret";
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    private final FakeBuilds builds = new FakeBuilds();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isEndless;
    private volatile boolean isElsewhere;
    private final ExecutorService forge = Executors.newCachedThreadPool();
    private HttpServer api;
    private List<Hook> hooks;
    private WebServer server;

    @TempDir
    Path folder;

    /** Request that the forge received about the state of a build. */
    private record Told(String path, String authorization, JsonNode body) {}

    @BeforeEach
    void start() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", this::answer);
        api.setExecutor(forge);
        api.start();
        hooks = new ArrayList<>();
        for (Forge forge : Forge.values()) {
            hooks.add(new Hook(
                    forge.name(),
                    forge,
                    FakeBuilds.OWNER,
                    Token.of(SECRET),
                    "git+file:///r",
                    "ci/build",
                    "bash",
                    "linux",
                    Map.of("A", "1"),
                    List.of("main", "release/*"),
                    Optional.of(new Hook.Target(
                            URI.create("http://127.0.0.1:" + api.getAddress().getPort() + "/api/"),
                            Token.of("forge token"),
                            URI.create("https://builds.example/")))));
        }
        server = start(builds);
    }

    private WebServer start(BuildsView view) throws IOException {
        return WebServer.start(view, Access.of(Site.TOKEN), 0, hooks, reports());
    }

    private Path reports() {
        return folder.resolve("reports");
    }

    @AfterEach
    void close() {
        ended.countDown();
        server.close();
        api.stop(0);
        forge.shutdown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            tell(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(HttpExchange exchange) throws IOException, InterruptedException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (isEndless) {
            exchange.sendResponseHeaders(201, 1L << 40);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
            told.add(new Told("endless", "", new ObjectMapper().readTree(body)));
            ended.await();
            return;
        }
        if (isElsewhere && !exchange.getRequestURI().getPath().equals("/elsewhere")) {
            exchange.getResponseHeaders()
                    .set("Location", "http://localhost:" + api.getAddress().getPort() + "/elsewhere");
            exchange.sendResponseHeaders(307, -1);
            return;
        }
        int left = failures.getAndUpdate(before -> Math.max(0, before - 1));
        boolean isFailing = left > 0;
        exchange.sendResponseHeaders(isFailing ? (left % 2 == 0 ? 429 : 502) : 201, -1);
        if (!isFailing) {
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            String token = exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN");
            told.add(new Told(
                    exchange.getRequestURI().getRawPath(),
                    authorization == null ? String.valueOf(token) : authorization,
                    new ObjectMapper().readTree(body)));
        }
    }

    private Told next() throws InterruptedException {
        Told next = told.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("the forge is told").isNotNull();
        return next;
    }

    /** Waits until the forge is told a state, whatever it is told before. */
    private void awaitTold(String state) throws InterruptedException {
        while (!next().body.get("state").asText().equals(state)) {
            // reads on
        }
    }

    private static String body(Forge forge, String branch) {
        return switch (forge) {
            case BITBUCKET ->
                "{\"repository\": {\"full_name\": \"me/it\"}, \"push\": {\"changes\": [{\"new\": {\"type\": \"branch\", \"name\": \""
                        + branch + "\", \"target\": {\"hash\": \"" + COMMIT + "\"}}}]}}";
            case GITLAB ->
                "{\"ref\": \"refs/heads/" + branch + "\", \"after\": \"" + COMMIT
                        + "\", \"project\": {\"path_with_namespace\": \"me/it\"}}";
            case GITHUB, GITEA ->
                "{\"ref\": \"refs/heads/" + branch + "\", \"after\": \"" + COMMIT
                        + "\", \"repository\": {\"full_name\": \"me/it\"}}";
        };
    }

    private static String sign(String body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder delivery(Forge forge, String body, String secret, String id) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/hooks/" + forge.name()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return switch (forge) {
            case GITHUB ->
                request.header("X-GitHub-Event", "push")
                        .header("X-GitHub-Delivery", id)
                        .header("X-Hub-Signature-256", "sha256=" + sign(body, secret));
            case GITLAB ->
                request.header("X-Gitlab-Event", "Push Hook")
                        .header("Idempotency-Key", id)
                        .header("X-Gitlab-Token", secret);
            case GITEA ->
                request.header("X-Gitea-Event", "push")
                        .header("X-Gitea-Delivery", id)
                        .header("X-Gitea-Signature", sign(body, secret));
            case BITBUCKET ->
                request.header("X-Event-Key", "repo:push")
                        .header("X-Request-UUID", id)
                        .header("X-Hub-Signature", "sha256=" + sign(body, secret));
        };
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> send(Forge forge, String branch, String secret, String id) throws Exception {
        return send(delivery(forge, body(forge, branch), secret, id));
    }

    @ParameterizedTest
    @EnumSource(Forge.class)
    void push_ofEachForge_isOneJobHoweverOftenItIsTold_andItsStateIsToldBack(Forge forge) throws Exception {
        HttpResponse<String> answer = send(forge, "release/1", SECRET, "delivery 1");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("{\"jobs\":[\"new-1\"],\"message\":\"\"}");
        assertThat(send(forge, "release/1", SECRET, "delivery 1").body()).isEqualTo(answer.body());
        assertThat(builds.submitted)
                .containsExactly(BuildRequest.of("git+file:///r", "release/1", "ci/build")
                        .commit(COMMIT)
                        .label("linux")
                        .environment(Map.of("A", "1"))
                        .build());

        Told running = next();
        assertThat(running.path)
                .isEqualTo(
                        switch (forge) {
                            case GITHUB, GITEA -> "/api/repos/me/it/statuses/" + COMMIT;
                            case GITLAB -> "/api/projects/me%2Fit/statuses/" + COMMIT;
                            case BITBUCKET -> "/api/repositories/me/it/commit/" + COMMIT + "/statuses/build";
                        });
        assertThat(running.authorization).endsWith("forge token");
        assertThat(running.body.get("state").asText()).isIn("pending", "running", "INPROGRESS");
        assertThat(running.body.toString()).contains("https://builds.example/#/job/new-1", "builds/" + forge.name());
        builds.end("new-1");
        assertThat(next().body.get("state").asText()).isIn("success", "SUCCESSFUL");

        assertThat(send(forge, "main", SECRET, "delivery 2").body()).contains("new-2");
    }

    /** A signature covers the body only, so whoever has seen a delivery could send it again by other ids. */
    @ParameterizedTest
    @EnumSource(value = Forge.class, mode = EnumSource.Mode.EXCLUDE, names = "GITLAB")
    void delivery_thatWasSignedBefore_isNoOtherJobByAnotherId(Forge forge) throws Exception {
        try (Site site = new Site(folder.resolve("master"))) {
            server.close();
            server = start(site.master().view());
            HttpResponse<String> first = send(forge, "main", SECRET, "1");
            assertThat(first.statusCode()).as(first.body()).isEqualTo(202);
            assertThat(send(forge, "main", SECRET, "2").body()).isEqualTo(first.body());
            server.close();
            site.stopMaster();
            site.startMaster();
            server = start(site.master().view());
            assertThat(send(forge, "main", SECRET, "3").body()).isEqualTo(first.body());
        }
    }

    @ParameterizedTest
    @EnumSource(Forge.class)
    void delivery_withoutTheSecret_isRefused(Forge forge) throws Exception {
        HttpResponse<String> answer = send(forge, "main", "guessed", "1");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).doesNotContain(SECRET, "guessed");
        HttpRequest.Builder none = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/hooks/" + forge.name()))
                .POST(HttpRequest.BodyPublishers.ofString(body(forge, "main")));
        assertThat(send(none).statusCode()).isEqualTo(403);
        HttpRequest.Builder large = delivery(forge, "x".repeat((1 << 20) + 1), SECRET, "1");
        assertThat(send(large).statusCode()).isEqualTo(413);
        assertThat(builds.submitted).isEmpty();
    }

    @Test
    void delivery_ofAnotherBranchOrEvent_isAnsweredWithoutAJob() throws Exception {
        HttpResponse<String> other = send(Forge.GITHUB, "twig", SECRET, "1");
        assertThat(other.statusCode()).isEqualTo(200);
        assertThat(other.body()).contains("no branch that the hook wants");
        HttpRequest.Builder ping = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/hooks/GITHUB"))
                .header("X-GitHub-Event", "ping")
                .header("X-Hub-Signature-256", "sha256=" + sign("{}", SECRET))
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
        assertThat(send(ping).statusCode()).isEqualTo(200);
        assertThat(builds.submitted).isEmpty();
    }

    @Test
    void delivery_thatIsNone_isAProblem() throws Exception {
        assertThat(send(delivery(Forge.GITHUB, "{", SECRET, "1")).statusCode()).isEqualTo(400);
        HttpResponse<String> answer = send(delivery(Forge.GITHUB, "{\"ref\": \"refs/heads/main\"}", SECRET, "1"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("field=/after");
        HttpRequest.Builder unknown = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/hooks/none"))
                .POST(HttpRequest.BodyPublishers.noBody());
        assertThat(send(unknown).statusCode()).isEqualTo(404);
        builds.refusal = new BuildException(BuildCode.QUEUE_FULL, "queue is full");
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode())
                .as("the forge sends it again")
                .isEqualTo(503);
    }

    @Test
    void status_ofAForgeThatFails_isToldAgain() throws Exception {
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
        awaitTold("pending");
        failures.set(2); // of the last state, behind which no other comes
        builds.end("new-1");
        awaitTold("success");
        assertThat(failures).hasValue(0);
    }

    @Test
    void status_afterARestartOfTheMaster_isToldWithoutAnotherDelivery() throws Exception {
        try (Site site = new Site(folder.resolve("master"))) {
            server.close();
            server = start(site.master().view());
            assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
            awaitTold("pending");
            server.close();
            site.stopMaster();
            site.startMaster();
            told.clear();
            server = start(site.master().view());
            awaitTold("pending");
            site.agent("a", site.with(new FakeAgent(2, Set.of("linux"), Set.of("bash"), run -> 0)));
            awaitTold("success");
            Until.isTrue("nothing is left to tell", () -> names().isEmpty());
        }
    }

    @Test
    void reports_thatCannotBeRead_areRemovedAndHoldUpNothing() throws Exception {
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
        assertThat(names()).containsExactly("new-1.json");
        server.close();
        String report = Files.readString(reports().resolve("new-1.json"));
        Files.writeString(reports().resolve("cut.json"), report.substring(1));
        Files.writeString(reports().resolve("commit.json"), report.replace(COMMIT, "../" + COMMIT));
        Files.writeString(
                reports().resolve("hook.json"), report.replace("GITHUB", "gone").replace("new-1", "hook"));
        Files.writeString(reports().resolve("name.json"), report);
        told.clear();
        server = start(builds);
        builds.end("new-1");
        awaitTold("success");
        Until.isTrue("nothing is left to tell", () -> names().stream().noneMatch("new-1.json"::equals));
        assertThat(names()).isEmpty();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(reports())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The timeout of a request ends with the head of its answer; the reporter must wait for no more. */
    @Test
    void status_ofAForgeWhoseAnswersNeverEnd_isToldUntilTheLast() throws Exception {
        isEndless = true;
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
        assertThat(next().body.get("state").asText()).isEqualTo("pending");
        builds.end("new-1");
        assertThat(next().body.get("state").asText()).isEqualTo("success");
    }

    /** Whoever answers for the forge must not have the token sent on, neither to another host nor to this machine. */
    @Test
    void status_ofAForgeThatSendsElsewhere_isNotToldThere() throws Exception {
        isElsewhere = true;
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
        builds.end("new-1");
        Until.isTrue("nothing is left to tell", () -> names().isEmpty());
        assertThat(told).isEmpty();
    }

    @Test
    void delivery_sentAgain_whileAsManyBuildsAreFollowedAsMayBe_isToldToTheEnd() throws Exception {
        for (int i = 1; i <= 1_000; i++) {
            assertThat(send(Forge.GITHUB, "release/" + i, SECRET, "1").statusCode())
                    .isEqualTo(202);
        }
        assertThat(send(Forge.GITHUB, "release/1", SECRET, "1").statusCode()).isEqualTo(202);
        builds.end("new-1");
        awaitTold("success");
    }

    @Test
    void deliveries_ofTheSameIdToTwoHooks_areTwoJobs() throws Exception {
        assertThat(send(Forge.GITHUB, "main", SECRET, "1").statusCode()).isEqualTo(202);
        assertThat(send(Forge.GITEA, "main", SECRET, "1").statusCode()).isEqualTo(202);
        assertThat(builds.submitted).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCEEDED, true, SUCCESS",
        "SCRIPT_FAILED, true, FAILURE",
        "TIMED_OUT, true, FAILURE",
        "QUEUE_TIMED_OUT, true, ERROR",
        "CANCELLED, true, ERROR",
        "ACCEPTING, false, PENDING",
        "QUEUED, false, PENDING",
        "RUNNING, false, RUNNING",
    })
    void state_ofAJob_isThatOfItsStatus(String status, boolean isOver, StatusReport.State state) {
        JobSummary job = new JobSummary(
                "j", "o", "r", "b", "s", "bash", "any", status, isOver, 1, null, 0, 0, 0, null, 0, "", null);
        assertThat(HookedJobs.state(job)).isEqualTo(state);
    }
}
