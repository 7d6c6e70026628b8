package dev.touchstone.builds.hook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that is short of something for a moment, after which forges must be told as before. */
@Timeout(120)
class StatusReporterTest {
    private static final Push PUSH = new Push("me/it", "main", "0123456789abcdef0123456789abcdef01234567");

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer forge;

    @BeforeEach
    void start() throws IOException {
        forge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forge.createContext("/", this::answer);
        forge.start();
    }

    @AfterEach
    void close() {
        forge.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(201, -1);
        }
    }

    private Hook hook() {
        URI api = URI.create("http://127.0.0.1:" + forge.getAddress().getPort() + "/");
        return new Hook(
                "it",
                Forge.GITHUB,
                "alice",
                Token.of("a secret of tests"),
                "git+file:///r",
                "ci/build",
                "bash",
                "any",
                Map.of(),
                List.of(),
                Optional.of(new Hook.Target(api, Token.of("a token of tests"), null)));
    }

    /** Jobs that have all succeeded, of which the first question fails. */
    private HookJobs jobs(boolean isFirstFailing) {
        return new HookJobs() {
            @Override
            public String submit(String owner, String key, BuildRequest request) {
                throw new AssertionError("nothing is submitted");
            }

            @Override
            public Optional<StatusReport.State> state(String owner, String id) {
                if (asked.incrementAndGet() == 1 && isFirstFailing) {
                    throw new OutOfMemoryError("for a test");
                }
                return Optional.of(StatusReport.State.SUCCESS);
            }
        };
    }

    private void assertTold() throws InterruptedException {
        assertThat(told.poll(60, TimeUnit.SECONDS)).as("the forge is told").contains("\"success\"");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void follow_firstClientThatCannotBeMade_isToldByTheNext(boolean isError) throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (StatusReporter reporter = new StatusReporter(jobs(false), null, () -> {
            if (made.incrementAndGet() > 1) {
                return HttpClient.newHttpClient();
            }
            if (isError) {
                throw new OutOfMemoryError("for a test");
            }
            throw new UncheckedIOException(new IOException("Too many open files"));
        })) {
            reporter.follow(hook(), PUSH, "job-1");
            assertTold();
            assertThat(made).hasValue(2);
        }
    }

    @Test
    void look_thatFailsWithAnError_isNotTheLast() throws Exception {
        try (StatusReporter reporter = new StatusReporter(jobs(true), null)) {
            reporter.follow(hook(), PUSH, "job-1");
            assertTold();
        }
    }
}
