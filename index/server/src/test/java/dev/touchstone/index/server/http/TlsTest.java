package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.access.TestIdentity;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlsTest {
    private static final int ITEMS = 20_000; // an answer of some 2 MB

    @TempDir
    Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private KeyStore trust;

    @BeforeEach
    void start() throws Exception {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        TestIdentity files = TestIdentity.create(folder, "EC");
        trust = files.trust();
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTls(TlsIdentity.fromFiles(files.certificate(), files.key()));
        Limits limits = new Limits(1 << 20, 4 << 20, ITEMS, 16, 16);
        server = HttpServer.start(new PriceService(SamplePrices.index(), limits), options);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpClient client(String protocol) throws Exception {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        SSLContext context = SSLContext.getInstance(protocol);
        context.init(null, trusted.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("https://localhost:" + server.address().getPort() + path));
    }

    @Test
    void clients_ofBothVersions_areAnswered() throws Exception {
        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
            HttpClient client = client(protocol);
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> response = client.send(request("/health").build(), BodyHandlers.ofString());
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.sslSession().orElseThrow().getProtocol()).isEqualTo(protocol);
            }
            String search = "{\"offering\":\"o0\",\"policy\":\"first\"}";
            assertThat(client.send(
                                    request("/v2/search")
                                            .POST(HttpRequest.BodyPublishers.ofString(search))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body())
                    .contains("\"price\"");
        }
    }

    @Test
    void longAnswers_inOnePieceAndInParts_comeWhole() throws Exception {
        HttpClient client = client("TLSv1.3");
        String items = "{\"id\":7},".repeat(ITEMS - 1) + "{\"id\":8}";
        for (String[] each : new String[][] {
            {"/v4/search/bitmap/bulk/prices", "[" + items + "]"},
            {"/v5/search/bitmap/bulk/prices", items.replace("},", "}\n")}
        }) {
            HttpResponse<String> response = client.send(
                    request(each[0])
                            .POST(HttpRequest.BodyPublishers.ofString(each[1]))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body().split("\"id\":7", -1)).hasSize(ITEMS);
            assertThat(response.body()).contains("\"id\":8}");
        }
    }

    @Test
    void connection_thatTheServerEnds_isEndedByTls() throws Exception {
        HttpResponse<String> refused = client("TLSv1.3")
                .send(
                        request("/v2/search")
                                .POST(HttpRequest.BodyPublishers.ofString(" ".repeat((1 << 20) + 1)))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("1048576 bytes");
    }

    @Test
    void client_thatDoesNotTrustOrSpeaksNoTls_isNotAnswered() throws Exception {
        assertThatThrownBy(
                        () -> HttpClient.newHttpClient().send(request("/health").build(), BodyHandlers.ofString()))
                .isInstanceOf(SSLException.class);
        try (Client plain = new Client(server.address())) {
            StringBuilder all = new StringBuilder();
            plain.send(Client.get("/health")).readAll(all);
            assertThat(all.toString()).doesNotContain("HTTP/1.1");
        }
        assertThat(client("TLSv1.3")
                        .send(request("/health").build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }
}
