package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GzipTest {
    private static final String MANY =
            "{\"policy\":\"all\",\"limit\":1000}"; // without offering, which a worker answers
    private static final String FEW = "{\"offering\":\"o0\",\"policy\":\"all\",\"limit\":100}";

    private final HttpServer server = start(8 << 20);

    private static HttpServer start(int bufferedBytes) {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withLimits(100, bufferedBytes);
        try {
            return HttpServer.start(new PriceService(SamplePrices.index(), Limits.DEFAULT), options);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static HttpResponse<byte[]> ask(HttpServer from, String accepted, String search) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + from.address().getPort() + "/v2/search"))
                .POST(HttpRequest.BodyPublishers.ofString(search));
        if (!accepted.isEmpty()) {
            request.header("accept-encoding", accepted);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static String unpacked(HttpResponse<byte[]> response) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "identity, false",
        "gzip, true",
        "GZIP, true",
        "'deflate, gzip;q=0.5', true",
        "'gzip;q=0', false",
        "'gzip; q=0.00, *', false",
        "'*', true",
        "'*;q=0', false",
        "'br, gzipped', false",
        "',;', false",
    })
    void longAnswer_isPackedForClientsThatTakeIt(String accepted, boolean isPacked) throws Exception {
        for (String search : new String[] {MANY, FEW}) {
            HttpResponse<byte[]> plain = ask(server, "", search);
            String expected = new String(plain.body(), StandardCharsets.UTF_8);
            HttpResponse<byte[]> response = ask(server, accepted, search);
            assertThat(header(response, "content-encoding")).isEqualTo(isPacked ? "gzip" : "");
            assertThat(header(response, "vary")).isEqualTo("accept-encoding");
            assertThat(header(response, "etag")).isEqualTo(isPacked ? "W/\"1\"" : "\"1\"");
            assertThat(isPacked ? unpacked(response) : new String(response.body(), StandardCharsets.UTF_8))
                    .isEqualTo(expected);
            if (isPacked) {
                assertThat(response.body().length).isLessThan(plain.body().length / 2);
            }
        }
    }

    @Test
    void shortAnswer_isNotPacked() throws Exception {
        HttpResponse<byte[]> response = ask(server, "gzip", "{\"offering\":\"o0\",\"policy\":\"first\"}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "content-encoding")).isEmpty();
        assertThat(header(response, "vary")).isEmpty();
    }

    @Test
    void answer_withoutRoomForTwo_isSentAsItIs() throws Exception {
        HttpServer small =
                start(50_000); // enough for the answer in 16 and then 32 KiB, and not for its bytes once more
        try {
            for (int i = 0; i < 5; i++) {
                HttpResponse<byte[]> response = ask(small, "gzip", MANY);
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(header(response, "content-encoding")).isEmpty();
            }
        } finally {
            small.close();
        }
    }
}
