package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that no socket's buffer holds, and what all connections together may hold. */
@Timeout(60)
class LongAnswerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(2); // a busy machine reads a request meanwhile
    private static final String LINES = "/v5/search/bitmap/bulk/prices";
    private static final String LIST = "/v4/search/bitmap/bulk/prices";
    private static final int ITEMS = 100_000; // an answer of some 10 MB

    private HttpServer server = start(SamplePrices.index(), LONG, 16 << 20);

    private static HttpServer start(PriceIndex index, Duration request, int buffered) {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTimes(new HttpOptions.Times(request, LONG, Duration.ZERO, LONG))
                .withLimits(100, buffered);
        Limits limits = new Limits(1000, 4 << 20, ITEMS, 16, 16);
        try {
            return HttpServer.start(new PriceService(index, limits), options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void restart(Duration request, int buffered) {
        server.close();
        server = start(SamplePrices.index(), request, buffered);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Client client() throws IOException {
        return new Client(server.address());
    }

    private static String items(String separator) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < ITEMS; i++) {
            items.append(i == 0 ? "" : separator).append("{\"id\":").append(i).append('}');
        }
        return items.toString();
    }

    @Test
    void lines_moreThanASocketHolds_comeWholeAndInOrder() throws IOException {
        String request = post(LINES, items("\n"));
        try (Client client = client()) {
            for (int round = 0; round < 2; round++) {
                Reply response = client.ask(request);
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.headers()).containsEntry("transfer-encoding", "chunked");
                List<String> lines = response.body().lines().toList();
                assertThat(lines).hasSize(ITEMS);
                for (int i = 0; i < ITEMS; i++) {
                    assertThat(lines.get(i)).endsWith("\"id\":" + i + "}");
                }
            }
            assertThat(client.ask(get("/health")).status()).isEqualTo(200);
        }
    }

    @Test
    void list_moreThanASocketHolds_comesWhole() throws IOException {
        try (Client client = client()) {
            client.send(post(LIST, "[" + items(",") + "]") + get("/health"));
            Reply response = client.read();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).startsWith("[{").endsWith("\"id\":" + (ITEMS - 1) + "}]\n");
            assertThat(client.read().body()).isEqualTo("up\n");
        }
    }

    /** An answer that is longer than the channel's marks changes its writability in the middle of the request that it answers. */
    @Test
    void requests_behindALongAnswer_areAllAnsweredInOrder() throws IOException {
        PriceIndex index = PriceIndex.builder()
                .build(List.of(new Price("p", "o", Map.of(), BigDecimal.ONE, "EUR", false, "-".repeat(200_000))));
        server.close();
        server = start(index, LONG, 16 << 20);
        String explain =
                post("/v2/explain", "{\"offering\":\"o\"}"); // has a worker, so that the others arrive meanwhile
        String search = post("/v2/search", "{\"offering\":\"o\"}");
        String missing = get("/v2/nothing");
        try (Client client = client()) {
            for (int round = 0; round < 20; round++) {
                client.send(explain + search + missing + search + get("/health"));
                assertThat(client.read().body()).contains("\"plan\"");
                assertThat(client.read().body()).hasSizeGreaterThan(200_000);
                assertThat(client.read().status()).isEqualTo(404);
                assertThat(client.read().body()).hasSizeGreaterThan(200_000);
                assertThat(client.read().body()).isEqualTo("up\n");
            }
        }
    }

    @Test
    void clients_thatLeaveInTheMiddle_giveTheirRoomBack() throws IOException {
        String lines = post(LINES, items("\n"));
        String list = post(LIST, "[" + items(",") + "]");
        for (int i = 0; i < 20; i++) { // together many times what there is room for
            String request = i % 2 == 0 ? lines : list;
            String head;
            do {
                try (Client client = client()) {
                    head = client.send(request).readHead();
                }
            } while (head.contains("503"));
            assertThat(head).contains("200");
        }
        try (Client client = client()) {
            assertThat(askUntilThereIsRoom(client, list).body()).endsWith("\"id\":" + (ITEMS - 1) + "}]\n");
        }
    }

    /** What others have left is given back when the server sees that they are gone, which may be later. */
    private static Reply askUntilThereIsRoom(Client client, String request) throws IOException {
        Reply response = client.ask(request);
        return response.status() == 503 ? askUntilThereIsRoom(client, request) : response;
    }

    @Test
    void list_withoutRoomForTheAnswer_isTold503() throws IOException {
        restart(LONG, 4 << 20);
        try (Client client = client()) {
            Reply response = client.ask(post(LIST, "[" + items(",") + "]"));
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.headers()).containsEntry("retry-after", "1");
            assertThat(client.ask(post(LINES, items("\n"))).status()).isEqualTo(200); // which needs none
        }
    }

    @Test
    void largePrices_ofClientsThatDoNotRead_takeNoMoreThanTheRoom() throws IOException {
        String payload = "-".repeat(16_000_000); // more than the sockets hold
        PriceIndex index = PriceIndex.builder()
                .build(List.of(new Price("p", "o", Map.of(), BigDecimal.ONE, "EUR", false, payload)));
        server.close();
        server = start(index, LONG, 40 << 20);
        String all = post("/v2/search/all", "{}");
        try (Client client = client()) {
            try (Client first = client();
                    Client second = client()) {
                assertThat(first.send(all).readHead()).contains("200");
                assertThat(second.send(all).readHead()).contains("200");
                assertThat(client.ask(all).status()).isEqualTo(503);
                assertThat(first.readRest(200).body()).contains(payload);
            }
            for (int round = 0; round < 3; round++) {
                assertThat(askUntilThereIsRoom(client, all).body()).contains(payload);
                assertThat(askUntilThereIsRoom(client, get("/v2/prices/o/p")).body())
                        .contains(payload);
            }
        }
    }

    @Test
    void client_thatNeverReads_isEnded() throws IOException {
        restart(SHORT, 16 << 20);
        try (Client client = client();
                Client other = client()) {
            client.send(post(LINES, items("\n")));
            while (connections(other) > 1) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private static int connections(Client client) throws IOException {
        return client.ask(get("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith("touchstone_index_connections "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void matches_moreThanASocketHolds_comeWholeAndOfOneVersionThoughOthersChange() throws IOException {
        PriceIndex index = many(LONG);
        try (Client client = client();
                Client other = client()) {
            client.send(post("/v2/search/all", "{\"offering\":\"many\"}"));
            assertThat(client.readHead()).contains("200"); // the answer waits for the client
            index.update(new PriceBatch().remove("many", "p" + (ITEMS - 1)));
            assertThat(other.ask(get("/health")).status()).isEqualTo(200);
            Reply all = client.readRest(200);
            assertThat(all.headers())
                    .containsEntry("x-index-version", "1")
                    .containsEntry("transfer-encoding", "chunked");
            List<String> lines = all.body().lines().toList();
            assertThat(lines).hasSize(ITEMS);
            for (int i = 0; i < ITEMS; i++) {
                assertThat(lines.get(i)).startsWith("{\"id\":\"p" + i + "\",");
            }
            Reply none = client.ask(post("/v2/search/all", "{\"offering\":\"none\"}"));
            assertThat(none.status()).isEqualTo(200);
            assertThat(none.body()).isEmpty();
            assertThat(client.ask(post("/v2/search/all", "[]")).status()).isEqualTo(400);
        }
    }

    @Test
    void client_thatNeverReadsItsMatches_isEnded() throws IOException {
        many(SHORT);
        try (Client client = client();
                Client other = client()) {
            client.send(post("/v2/search/all", "{}"));
            while (connections(other) > 1) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    @Test
    void part_thatFailsWithAnError_endsTheAnswerAndTheConnection() throws IOException {
        server.close();
        HttpOptions options = HttpOptions.DEFAULT.withAddress("127.0.0.1", 0).withEventLoops(1);
        PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);
        server = HttpServer.start(service, options, any -> new PartHandler() {
            @Override
            public void handle(byte[] bytes, int from, int to, Response answer) {
                throw new IllegalStateException("an answer in parts is expected");
            }

            @Override
            public boolean begin(byte[] bytes, int from, int to, Response answer) {
                return true;
            }

            @Override
            public boolean next(Response answer) {
                throw new OutOfMemoryError("on purpose");
            }
        });
        for (int i = 0; i < 5; i++) {
            try (Client client = client()) {
                StringBuilder answer = new StringBuilder();
                client.send(post("/v2/search/all", "{}")).readAll(answer);
                assertThat(answer).startsWith("HTTP/1.1 200").doesNotEndWith("0\r\n\r\n");
            }
        }
    }

    /** Has the server serve one offering with many prices. */
    private PriceIndex many(Duration request) {
        server.close();
        PriceIndex index = PriceIndex.builder()
                .build(IntStream.range(0, ITEMS)
                        .mapToObj(i -> Price.of("p" + i, "many", Map.of(), BigDecimal.ONE))
                        .toList());
        server = start(index, request, 16 << 20);
        return index;
    }

    @Test
    void tooManyLines_isToldBeforeTheFirstAnswer() throws IOException {
        try (Client client = client()) {
            Reply response = client.ask(post(LINES, items("\n") + "\n{}"));
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.body()).contains("more than " + ITEMS);
            assertThat(client.ask(post(LINES, "\n\n")).body()).isEmpty();
            assertThat(client.ask(post(LINES, items("\n") + "\n\n\n")).status()).isEqualTo(200);
        }
    }

    @Test
    void heads_thatAreNotComplete_haveTheirLimit() throws IOException {
        restart(LONG, 40_000);
        String begin = "GET /health HTTP/1.1\r\nhost: localhost\r\n";
        try (Client small = client();
                Client large = client()) {
            small.send(begin);
            large.send(begin + "a: b\r\n".repeat(400));
            assertThat(large.isAtEnd()).isTrue();
            assertThat(small.ask("\r\n").status()).isEqualTo(200);
        }
    }
}
