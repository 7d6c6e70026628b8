package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.connect.BuildClientFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the HTTP API that send or ask for as much as they may, and read nothing: a master with a small heap stays and answers the others. */
@Timeout(180)
class GreedyReadersTest {
    private static final int GUESTS = 120;
    private static final String AUTHORIZATION = "Bearer " + CommandProcess.TOKEN;

    @TempDir
    Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> guests = new ArrayList<>();
    private int port;
    private MasterProcess master;

    @BeforeEach
    void start() throws IOException {
        port = Ports.fixed();
        master = new MasterProcess(
                folder,
                List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"),
                List.of("--web-port", Integer.toString(port)));
    }

    @AfterEach
    void close() throws IOException {
        closeGuests();
        master.close();
    }

    private void closeGuests() throws IOException {
        for (Socket guest : guests) {
            guest.close();
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(
                request.header("Authorization", AUTHORIZATION).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    /** Sends a request by many connections, each of which takes as few bytes of the answer as it can. */
    private void flood(String head, byte[] body) throws IOException {
        byte[] bytes = (head + "\r\nHost: localhost\r\nAuthorization: " + AUTHORIZATION
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < GUESTS; i++) {
            Socket guest = new Socket();
            guests.add(guest);
            guest.setReceiveBufferSize(2_048);
            guest.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            try {
                guest.getOutputStream().write(bytes);
                guest.getOutputStream().write(body);
            } catch (IOException e) {
                // refused, which is an answer
            }
        }
    }

    private void checkAnswers() throws Exception {
        HttpResponse<String> health = send(to("/health"));
        assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
        checkAnswersBuilds();
    }

    private void checkAnswersBuilds() throws Exception {
        try (BuildClient gRpc = BuildClientFactory.connect(Site.options(master.port()))) {
            assertThat(Logs.end(
                            gRpc.submit(Site.request().noop(true).label("none").build())
                                    .accepted()))
                    .isNotEmpty();
        }
    }

    @Test
    void master_withUnreadListsOfLongNames_answers() throws Exception {
        String name = "x".repeat(4_000);
        for (int i = 0; i < 500; i++) {
            HttpResponse<String> answer = send(to("/api/v1/jobs")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"repository\": \"file:///" + name
                            + "\", \"branch\": \"" + name + "\", \"script\": \"" + name + "\"}")));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        }
        flood("GET /api/v1/jobs HTTP/1.1", new byte[0]);
        checkAnswers();
    }

    @Test
    void master_withBodiesOfManyValues_answers() throws Exception {
        StringBuilder body = new StringBuilder("{\"x\":1");
        while (body.length() < 900_000) {
            body.append(",\"").append(body.length()).append("\":1");
        }
        flood("POST /api/v1/jobs HTTP/1.1", body.append('}').toString().getBytes(StandardCharsets.US_ASCII));
        checkAnswers();
    }

    /** Connections that say nothing must not take all descriptors of the master. */
    @Test
    void master_withManyIdleConnections_hasDescriptorsLeft() throws Exception {
        for (int i = 0; i < 1_500; i++) {
            guests.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        checkAnswersBuilds();
        try (var descriptors = Files.list(Path.of("/proc", Long.toString(master.pid()), "fd"))) {
            assertThat(descriptors.count()).isLessThan(1_300);
        }
        closeGuests();
        checkAnswers();
    }
}
